// SPDX-License-Identifier: GPL-2.0-only
/* Parsing a line of /exp. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orc.h"

static void parse_wl(char *s, struct wl *w)
{
	struct {
		const char *key;
		int *value;
	} keys[] = {
		{ "n", &w->n }, { "pct", &w->pct }, { "per", &w->per }, { "work", &w->work }, { "mb", &w->mb },
		{ "g", &w->g }, { "f", &w->f }, { "place", &w->place }, { "keep", &w->keep },
		{ "keepat", &w->keep_at }, { "start", &w->start }, { "pin", &w->pin }, { "touch", &w->touch },
		{ "offat", &w->off_at }, { "off", &w->off_ms }, { "split", &w->split }, { "late", &w->late },
		{ "mix", &w->mix }, { "bind", &w->bind }, { "bindat", &w->bind_at }, { "bindfor", &w->bind_ms },
		{ "more", &w->more }, { "moreat", &w->more_at }, { "part", &w->part },
	};
	char *save, *t = strtok_r(s, ",", &save);

	memset(w, 0, sizeof *w);
	w->n = w->g = 1;
	w->per = 20000;
	w->pct = 50;
	w->f = 4;
	snprintf(w->type, sizeof w->type, "%s", t);
	while ((t = strtok_r(NULL, ",", &save))) {
		char *e = strchr(t, '=');

		if (!e)
			continue;
		*e++ = 0;
		for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
			if (!strcmp(t, keys[i].key))
				*keys[i].value = atoi(e);
	}
}

/* Reads a line and sets the knobs that it names, all but ep. */
void parse(char *line, struct experiment *x)
{
	struct {
		const char *key;
		int *value;
	} keys[] = {
		{ "dur", &x->dur }, { "seed", &x->seed }, { "xonly", &x->xonly }, { "cm", &x->cm },
		{ "occ", &x->occ }, { "bg", &x->bg }, { "affat", &x->affat }, { "sync", &x->sync },
	};
	char *save;

	memset(x, 0, sizeof *x);
	x->dur = 2000;
	x->seed = 1;
	x->affat = 300;
	for (char *t = strtok_r(line, " \n", &save); t; t = strtok_r(NULL, " \n", &save)) {
		char *e = strchr(t, '=');
		int found = 0;

		if (!e)
			continue;
		*e++ = 0;
		for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
			if (!strcmp(t, keys[i].key))
				*keys[i].value = atoi(e), found = 1;
		if (found)
			continue;
		if (!strcmp(t, "wl")) {
			if (x->np < SYNC)
				parse_wl(e, &x->w[x->np++]);
		} else if (!strcmp(t, "ep")) {
			snprintf(x->ep, sizeof x->ep, "%s", e);
		} else if (!strcmp(t, "part")) {
			snprintf(x->part, sizeof x->part, "%s", e);
		} else if (!strcmp(t, "at")) {
			struct change *c = &x->at[x->nat];

			if (x->nat < 16 && sscanf(e, "%d:%15[a-z]:%15s", &c->ms, c->knob, c->value) == 3)
				x->nat++;
		} else {
			knob(t, e);
		}
	}
}
