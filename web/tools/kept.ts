// Results that builds have computed before, kept under a hash of all they
// depend on: the code of the model, the machines, and the scenario.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { projectTop } from '../test/site';

/** So many results of one name stay, for going back and forth between branches. */
const OLD = 4;

export type Hash = (...parts: string[]) => string;

/** A hash over texts, each with its length, so that none runs into the next. */
export const hashOf: Hash = (...parts) => parts.reduce((h, p) => h.update(`${Buffer.byteLength(p)} `).update(p), createHash('sha256')).digest('hex').slice(0, 16);

/** All files below a folder of the project, by name. */
export function filesOf(folder: string): string[] {
  return (readdirSync(join(projectTop, folder), { recursive: true }) as string[]).map((f) => join(projectTop, folder, f)).filter((f) => statSync(f).isFile()).sort();
}

const contents = (files: readonly string[]): string[] => files.flatMap((f) => [relative(projectTop, f), readFileSync(f, 'utf8')]);

/** The Go files that a package of this project is built from; the shipped scenarios are data and left out. */
function sources(pkg: string): string[] {
  const list = execFileSync('go', ['list', '-deps', '-f', '{{if not .Standard}}{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}{{end}}', pkg], { cwd: projectTop, encoding: 'utf8' });
  return list.split('\n').filter((f) => f && basename(f) !== 'files_js.go').sort();
}

/** Stands for all that decides what a package computes from a scenario or from data: its code, Go, the machines and the data. */
export function modelHash(pkg: string, ...data: string[]): string {
  const go = execFileSync('go', ['version'], { encoding: 'utf8' });
  return hashOf(go, ...contents(sources(pkg)), ...contents([...filesOf('scenarios/machines'), ...data]));
}

/** Results on disk by name and key. */
export class Kept<T> {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  private file(name: string, key: string): string {
    return join(this.folder, `${name}.${key}.json`);
  }

  get(name: string, key: string): T | null {
    const file = this.file(name, key);
    if (!existsSync(file)) return null;
    const now = new Date();
    utimesSync(file, now, now);
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  }

  /** Keeps a result and drops those of its name that were not asked for longest. */
  put(name: string, key: string, value: T): void {
    writeFileSync(this.file(name, key), JSON.stringify(value));
    const age = (f: string) => statSync(join(this.folder, f)).mtimeMs;
    const same = readdirSync(this.folder).filter((f) => f.startsWith(`${name}.`) && f.split('.').length === name.split('.').length + 2);
    for (const old of same.sort((a, b) => age(b) - age(a)).slice(OLD)) rmSync(join(this.folder, old));
  }
}
