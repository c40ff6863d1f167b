/** The form that asks operators for their token: a page without scripts, and its style in a file, as the policy requires. */
import type { RequestHandler, Response } from 'express';
import type { Fault } from '../../rating/fault.ts';
import { faultObject, type HttpFault, headersOf, statusOf } from '../faults.ts';

const page = (postTo: string, style: string, refusal: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Queues</title>
<link rel="stylesheet" href="${style}">
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>Queues</h1>
<p>For operators of this service: jobs that wait, run or have failed. This page changes nothing.</p>
${refusal === '' ? '' : `<p class="refusal" role="alert">${refusal}</p>\n`}<form method="post" action="${postTo}">
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" maxlength="80" required autofocus>
<label for="token">Operator token</label>
<input id="token" type="password" name="token" autocomplete="current-password" required>
<p>It is the value of <code>OPERATOR_TOKEN</code> in the service’s settings.</p>
<button>Show the queues</button>
</form>
</main>
</body>
</html>
`;

/** Colors and sizes of the console (src/console/style.css). */
const STYLE = `:root {
  color-scheme: light dark;
}
* {
  box-sizing: border-box;
}
body {
  margin: 0;
  background: light-dark(#faf9f6, #141615);
  color: light-dark(#1e1c19, #ecebe6);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
main,
form {
  display: grid;
  gap: 1rem;
}
main {
  max-width: 28rem;
  margin: 12vh auto 0;
  padding: 1.5rem;
}
form {
  gap: 0.5rem;
}
h1,
p {
  margin: 0;
}
h1 {
  font-size: 1.75rem;
  line-height: 1.2;
}
p {
  color: light-dark(#5f5a52, #a8aca5);
}
form p,
label {
  font-size: 0.875rem;
}
label {
  font-weight: 550;
}
code {
  font-family: ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, Consolas, monospace;
}
input,
button {
  min-height: 2.25rem;
  padding: 0.25rem 0.75rem;
  border: 1px solid light-dark(#8a857b, #75807b);
  border-radius: 6px;
  background: light-dark(#ffffff, #1b1e1d);
  color: inherit;
  font: inherit;
}
button {
  margin-block-start: 0.5rem;
  border-color: light-dark(#0b5d66, #6fc7cb);
  background: light-dark(#0b5d66, #6fc7cb);
  color: light-dark(#ffffff, #07262a);
  font-weight: 550;
  cursor: pointer;
}
button:hover {
  border-color: light-dark(#084851, #95dadd);
  background: light-dark(#084851, #95dadd);
}
:focus-visible {
  outline: 2px solid light-dark(#0b5d66, #6fc7cb);
  outline-offset: 2px;
}
.refusal {
  padding: 0.75rem 1rem;
  border: 1px solid light-dark(#a02c1d, #f29484);
  border-radius: 6px;
  background: light-dark(#fbebe7, #3b211c);
  color: inherit;
}
`;

/** Answers with the style of the form. */
export const sendStyle: RequestHandler = (_req, res) => {
  res.type('css').set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }).send(STYLE);
};

const wordsOf = (fault: Fault | HttpFault): string => {
  switch (fault.type) {
    case 'credentials.tooManyWrong':
      return `Too many wrong tokens. Try again in ${fault.retryAfterS} seconds.`;
    case 'InvalidCredentialsException':
      return 'That is not the operator token.';
    case 'getRates.invalidRequest':
      return 'Type your name: 1 to 80 characters.';
    default:
      return faultObject(fault).message;
  }
};

export interface FormPaths {
  readonly postTo: string;
  readonly style: string;
}

/** @returns how to answer with the form: empty at first (401), or with the problem of a token */
export const createForm =
  ({ postTo, style }: FormPaths) =>
  (res: Response, fault?: Fault | HttpFault): void => {
    if (fault !== undefined) {
      res.locals.fault = fault.type;
      res.set(headersOf(fault));
    }
    const status = fault === undefined ? 401 : statusOf(fault.type);
    res
      .status(status)
      .type('html')
      .set('Cache-Control', 'no-store')
      .send(page(postTo, style, fault === undefined ? '' : wordsOf(fault)));
  };
