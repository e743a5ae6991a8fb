// Which of the site's engines a link asks for.

import type { EngineEntry, EngineIndex } from '../archive.mjs';
import type { Answer, Opened } from './contract';
import { Engine } from './engine/client';

/** The engine that a fragment names: the id of a page's engine or the version of the model; "" when it names none. */
export function engineNamed(fragment: string): string {
  return /;e=([A-Za-z0-9][\w.~-]{0,39})(?:;|$)/.exec(fragment.replace(/\s/g, ''))?.[1] ?? '';
}

/** The entry of an id, or the newest of a version. */
export function entryOf(index: EngineIndex, name: string): EngineEntry | null {
  return index.engines.find((e) => e.id === name || e.version === name) ?? null;
}

export interface Choice {
  /** Id of the engine to start. */
  id: string;
  /** Version of that engine where the list of engines told it. */
  version: string;
  /** What the link names, "" for nothing. */
  named: string;
  /** The current engine takes the place of one that the site does not have. */
  missing: boolean;
}

/** Chooses the engine for a fragment. The list is fetched only when a link names another engine than the page's. */
export async function choose(fragment: string, current: string, list: () => Promise<EngineIndex | null>): Promise<Choice> {
  const named = engineNamed(fragment);
  if (named === '' || named === current) return { id: current, version: '', named, missing: false };
  const entry = entryOf((await list()) ?? { v: 1, current, engines: [] }, named);
  return entry ? { ...entry, named, missing: false } : { id: current, version: '', named, missing: true };
}

/** The site's list of engines; null when it cannot be had. */
export async function fetchIndex(base: string): Promise<EngineIndex | null> {
  try {
    const response = await fetch(new URL('e/index.json', base));
    const index = (await response.json()) as EngineIndex;
    return response.ok && index.v === 1 && index.engines.every((e) => /^[0-9a-f]{12}$/.test(e.id)) ? index : null;
  } catch {
    return null;
  }
}

/** The folder of an engine. */
export const folderOf = (base: string, id: string): string => new URL(`e/${id}/`, base).href;

/** An engine of an earlier page: its links go on naming it, so that a reload runs it again. */
export class Archived extends Engine {
  constructor(
    base: string,
    private readonly id: string,
  ) {
    super(folderOf(base, id), Promise.resolve(), true);
  }

  override async open(text: string, extra?: readonly string[]): Promise<Answer<Opened>> {
    return this.named(await super.open(text, extra));
  }

  override async set(scenario: string, path: string, value: string, extra?: readonly string[]): Promise<Answer<Opened>> {
    return this.named(await super.set(scenario, path, value, extra));
  }

  private async named(answer: Answer<Opened>): Promise<Answer<Opened>> {
    if (!answer.ok || !answer.value.link) return answer;
    const link = await this.link(answer.value.text, this.id, '', answer.value.extra);
    return link.ok ? { ok: true, value: { ...answer.value, link: link.value } } : answer;
  }
}
