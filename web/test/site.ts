// The built site behind the project's own server, in a folder below the root,
// and a fresh browser.

import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

// the tests are started in web/
const top = resolve('..');
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export interface Site {
  /** Address of the page, with the trailing slash of its folder. */
  base: string;
  /** The folder on disk that is served there. */
  folder: string;
  browser: Browser;
  /** Opens a page; anything it complains about ends up in errors. */
  open(hash: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>;
  close(): Promise<void>;
}

export const projectTop = top;

async function serve(from: string): Promise<{ base: string; folder: string; stop: () => void }> {
  const root = mkdtempSync(join(tmpdir(), 'casplay-site-'));
  mkdirSync(join(root, 'some'));
  cpSync(from, join(root, 'some', 'folder'), { recursive: true });
  const server: ChildProcess = spawn(join(top, 'web', 'build', 'casplay'), ['serve', '--addr', '127.0.0.1:0', '--dir', root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise<string>((found, failed) => {
    server.stdout?.on('data', (data: Buffer) => {
      const m = /http:\/\/\S+/.exec(data.toString());
      if (m) found(m[0].replace(/\/$/, ''));
    });
    server.on('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  return {
    base: `${address}/some/folder/`,
    folder: join(root, 'some', 'folder'),
    stop: () => {
      server.kill('SIGINT');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** from is the folder of the site. */
export async function startSite(from = join(top, 'dist')): Promise<Site> {
  const { base, folder, stop } = await serve(from);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ARGS });
  return {
    base,
    folder,
    browser,
    open: async (hash, options) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (e) => errors.push(e.message));
      page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
      await page.goto(base + hash);
      return { page, errors };
    },
    close: async () => {
      await browser.close();
      stop();
    },
  };
}

/** Waits until every seed of every arm is through, and for the frames over which the page shows that. */
export async function finished(page: Page, timeout = 180_000): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#sstate code') !== null, null, { timeout });
  await page.evaluate(async () => {
    for (let i = 0; i < 12; i++) await new Promise(requestAnimationFrame);
  });
}

/** The full digest, from the report. */
export async function digestOf(page: Page): Promise<string> {
  await page.waitForFunction(() => /digest: [0-9a-f]{16}/.test(document.getElementById('report')?.textContent ?? ''));
  const report = (await page.locator('#report').textContent()) ?? '';
  return /digest: ([0-9a-f]{16})/.exec(report)?.[1] ?? '';
}
