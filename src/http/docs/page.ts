/** The page at `/docs`: a quick start and the reference, both made from the declarations that the service uses. */

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { API_FAULT_TYPES, API_FAULTS, type ApiFaultType } from '../faults.ts';
import { FAULT_EXAMPLES, openApiDocument } from '../openapi/document.ts';
import { type Described, describedOperations, faultsOf, WEBHOOK_MESSAGES } from '../openapi/operation.ts';
import { COMPONENT_SCHEMAS } from '../openapi/schemas.ts';
import { TAGS } from '../operation.ts';
import { codeBlock, type Html, html, prettyJson, prose } from './html.ts';
import { faultLink, memberList, messageSection, operationSection, usedOnce } from './operation.ts';
import { type QuickStartProgram, quickStart, readPrograms, STEPS } from './quick-start.ts';

/* The faults, each described once. Operations link to them by type. */

/** The faults that every operation may have. */
const commonFaults = (operations: readonly Described[]): ReadonlySet<ApiFaultType> =>
  new Set(API_FAULT_TYPES.filter((type) => operations.every((operation) => faultsOf(operation).includes(type))));

const argumentItems = (type: ApiFaultType): Html[] =>
  Object.entries(API_FAULTS[type].args).map(
    ([name, meaning]) => html`<li><code class="name">${name}</code> ${prose(meaning)}</li>`,
  );

const faultSection = (type: ApiFaultType, example: unknown): Html => {
  const { status, when, wayOut } = API_FAULTS[type];
  return html`<section class="pair fault" id="fault-${type}" aria-labelledby="fault-${type}-title">
<div class="about">
<h3 id="fault-${type}-title"><span class="status">${status}</span> <code>${type}</code></h3>
<p>${prose(when)}</p>
<p><strong>What to do:</strong> ${prose(wayOut)}</p>
<h4>Arguments</h4>
<ul class="members">${argumentItems(type)}</ul>
</div>
<div class="samples">${codeBlock(prettyJson(example), 'json', `Example of ${type}`)}</div>
</section>
`;
};

const faultsSection = (common: ReadonlySet<ApiFaultType>): Html =>
  html`<section id="faults" aria-labelledby="faults-title">
<h2 id="faults-title">Faults</h2>
<p>Every answer that is not a success has the same body: <code>code</code> is the HTTP status, and <code>fault</code> says what is wrong. Decide by <code>fault.type</code>. Show <code>fault.message</code> to people. <code>fault.arguments</code> names the offending input. A faulty row of a list has the same type, message and arguments in its columns.</p>
<p>Every call may have these faults, so the operations do not list them:</p>
<ul class="fault-links">${[...common].map((type) => html`<li>${faultLink(type)}</li>`)}</ul>
${API_FAULT_TYPES.map((type) => faultSection(type, FAULT_EXAMPLES[type]?.value))}
</section>
`;

const EVERY_CALL: readonly (readonly [string, string])[] = [
  [
    'Addresses',
    'Paths are case-sensitive and have no trailing slash. Any other spelling is 404. In the commands below, `$URL`, `$TOKEN` and `$ID` stand for this host, your token and the id of a batch or a comparison.',
  ],
  [
    'Tokens',
    'Send `Authorization: Bearer $TOKEN`. A token is valid for an hour and has the scopes `quote` and `batch`, or fewer if you ask for fewer.',
  ],
  [
    'Values',
    'Money is in US dollars with at most two decimals. Times are RFC 3339. Objects may get more members, and warnings more types: ignore those that you do not know.',
  ],
  [
    'Limits',
    '`RateLimit-Policy` and `RateLimit` say how many calls a minute you have, and how many are left. Over a limit, the answer is 429 with `Retry-After`.',
  ],
  [
    'Questions',
    'Every answer has the header `X-Request-Id`. Name it if you ask the operator about a call. You may send one of your own.',
  ],
];

const everyCall = (): Html => html`<section id="every-call" aria-labelledby="every-call-title">
<h2 id="every-call-title">Every call</h2>
<dl>${EVERY_CALL.map(([name, text]) => html`<dt>${name}</dt><dd>${prose(text)}</dd>`)}</dl>
<p>A call that does not succeed says why in one form: see <a href="#faults">Faults</a>.</p>
</section>
`;

const navigationItem = (id: string, text: string): Html => html`<li><a href="#${id}">${text}</a></li>`;

const navigation = (operations: readonly Described[]): Html => {
  const groups = TAGS.map((tag) => {
    const messages = tag === 'Webhooks' ? WEBHOOK_MESSAGES : [];
    const items = [...operations.filter((operation) => operation.tag === tag), ...messages];
    return html`<li><a href="#tag-${tag}">${tag}</a><ul>${items.map(({ id, summary }) => navigationItem(id, summary))}</ul></li>`;
  });
  return html`<nav id="contents" popover aria-label="Contents"><ul>
<li><a href="#quick-start">Quick start</a><ol>${STEPS.map(({ id, title }) => navigationItem(id, title))}</ol></li>
${navigationItem('every-call', 'Every call')}
${groups}
${navigationItem('faults', 'Faults')}
${navigationItem('objects', 'Objects')}
</ul></nav>
`;
};

const reference = (operations: readonly Described[]): Html => {
  const common = commonFaults(operations);
  const named = { schemas: COMPONENT_SCHEMAS, inPlace: usedOnce(operations, WEBHOOK_MESSAGES) };
  const groups = TAGS.map((tag) => {
    const sections = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => operationSection(operation, common, named));
    if (tag === 'Webhooks') sections.push(...WEBHOOK_MESSAGES.map((message) => messageSection(message, named)));
    return html`<section id="tag-${tag}" aria-labelledby="tag-${tag}-title">
<h2 id="tag-${tag}-title">${tag}</h2>
${sections}</section>
`;
  });
  const objects = Object.entries(named.schemas)
    .filter(([name]) => !named.inPlace.has(name))
    .map(
      ([name, schema]) =>
        html`<section id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title">${name}</h3>${memberList(schema, 'answer')}</section>\n`,
    );
  return html`${groups}${faultsSection(common)}<section id="objects" aria-labelledby="objects-title">
<h2 id="objects-title">Objects</h2>
<p>Those that several calls answer.</p>
${objects}</section>
`;
};

/** The whole page. @param programs the programs of the quick start */
const docsPage = (programs: readonly QuickStartProgram[]): string => {
  const operations = describedOperations();
  const start = quickStart(programs);
  const referenceSection = reference(operations);
  const body = html`<a class="skip-link" href="#main">Skip to the content</a>
<header class="header">
<a class="brand" href="/docs">Shipping rates</a>
<button type="button" class="menu" popovertarget="contents">Contents</button>
<span class="links"><a href="/">Console</a> <a href="/openapi.json">OpenAPI 3.1</a></span>
<button type="button" class="theme" hidden><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/></svg></button>
</header>
${navigation(operations)}<main id="main" tabindex="-1">
<h1>Shipping rates API</h1>
<p class="lead">What it costs to ship packages within the United States: one shipment in milliseconds, or a list that comes back with a price or a reason on every row.</p>
${start}${everyCall()}${referenceSection}</main>
<p class="visually-hidden" role="status"></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Shipping rates API</title>
<link rel="stylesheet" href="/docs/docs.css">
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<script src="/docs/docs.js"></script>
</head>
<body>
${body.text}
</body>
</html>
`;
};

const ASSETS = join(import.meta.dirname, 'assets');

/** Style sheets that the page shares with the console. */
const SHARED = ['tokens', 'base', 'segments'].map((name) =>
  join(import.meta.dirname, '..', '..', 'console', 'ui', `${name}.css`),
);
const STYLE = join(ASSETS, 'docs.css');
/** The typeface of the console. */
const FONT = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

/** @returns the name and content of each file, with the page both plain and compressed. @param icon the file of the icon */
export const docsFiles = async (icon: string): Promise<(readonly [string, Uint8Array | string])[]> => {
  const page = docsPage(await readPrograms());
  const copied = [...(await readdir(ASSETS)).map((name) => join(ASSETS, name)), icon, FONT].filter(
    (file) => file !== STYLE,
  );
  const style = await Promise.all([...SHARED, STYLE].map((file) => readFile(file, 'utf8')));
  return [
    ['index.html', page],
    ['index.html.gz', gzipSync(page)],
    ['docs.css', style.join('\n')],
    ['openapi.json', JSON.stringify(openApiDocument())],
    ...(await Promise.all(copied.map(async (file) => [basename(file), await readFile(file)] as const))),
  ];
};
