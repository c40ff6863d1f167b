/** Chromium for tests, which skip if none is installed. Every page is watched for errors and foreign requests. */
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((dir) => NAMES.map((name) => join(dir, name)))
  .find(isExecutable);

export const hasChromium = executablePath !== undefined;
if (!hasChromium) console.warn(`None of ${NAMES.join(', ')} is on the PATH: tests of the console in it are skipped.`);

export interface Look {
  readonly theme: 'light' | 'dark';
  /** Width of the window in CSS pixels. */
  readonly width: number;
}

/** Each theme and each width that pages are tested in. Colors do not depend on the width, nor sizes on the theme. */
export const LOOKS: readonly Look[] = [
  { theme: 'light', width: 360 },
  { theme: 'dark', width: 1440 },
];
/** Those of pages with many columns. */
export const TABLE_LOOKS: readonly [Look, Look, Look] = [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 1024 },
  { theme: 'light', width: 1440 },
];

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Problems so far: script errors, policy violations, and requests to other hosts. */
  readonly problems: readonly string[];
}

/** `root` cannot use the sandbox, and containers have little shared memory. */
export const startChromium = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('There is no Chromium to start.');
  return chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-dev-shm-usage'] });
};

/** Chromium logs fault responses as errors, but pages handle them. */
const isAnswer = (text: string): boolean =>
  /^Failed to load resource: the server responded with a status of/.test(text);

/** Opens an empty page with reduced motion, so that nothing moves. */
export const openPage = async (browser: Browser, url: string, { theme, width }: Look): Promise<WatchedPage> => {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    reducedMotion: 'reduce',
    viewport: { width, height: width < 600 ? 740 : 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-US',
    timezoneId: 'America/New_York',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswer(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url) problems.push(`request to ${request.url()}`);
  });
  page.setDefaultTimeout(25_000);
  return { page, context, problems };
};

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The violations that axe finds on the page: a line per element, with the rule and advice. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
};

/** The number of CSS pixels by which the page is wider than its window. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - document.body.clientWidth)');

/** Saves a picture of the whole page in `SCREENSHOTS_DIR`, if set. */
export const keepShot = async (page: Page, name: string, { theme, width }: Look): Promise<void> => {
  const dir = process.env['SCREENSHOTS_DIR'] ?? '';
  if (dir === '') return;
  await mkdir(dir, { recursive: true });
  await page.screenshot({ path: join(dir, `${name}-${theme}-${width}.png`), fullPage: true });
};
