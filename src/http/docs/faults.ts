/** The faults, each described once. Operations link to them by their types. */
import { FAULT_GUIDE } from '../fault-guide.ts';
import { STATUS } from '../faults.ts';
import { faultExamples } from '../openapi/examples.ts';
import { type AnyFaultType, type Described, faultsOf } from '../openapi/operation.ts';
import { codeBlock, prettyJson } from './code.ts';
import { type Html, html, prose } from './html.ts';
import { faultLink } from './operation.ts';

const isFault = (type: string): type is AnyFaultType => type in STATUS;

const TYPES: readonly AnyFaultType[] = Object.keys(STATUS).filter(isFault);

/** The faults that every operation may have. */
export const commonFaults = (operations: readonly Described[]): ReadonlySet<AnyFaultType> =>
  new Set(TYPES.filter((type) => operations.every((operation) => faultsOf(operation).includes(type))));

const argumentItems = (type: AnyFaultType): Html[] =>
  Object.entries(FAULT_GUIDE[type].arguments).map(
    ([name, meaning]) => html`<li><code class="name">${name}</code> ${prose(meaning)}</li>`,
  );

const faultSection = (type: AnyFaultType, example: unknown): Html => {
  const { when, wayOut } = FAULT_GUIDE[type];
  return html`<section class="pair fault" id="fault-${type}" aria-labelledby="fault-${type}-title">
<div class="about">
<h3 id="fault-${type}-title"><span class="status">${STATUS[type]}</span> <code>${type}</code></h3>
<p>${prose(when)}</p>
<p><strong>Way out:</strong> ${prose(wayOut)}</p>
<h4>Arguments</h4>
<ul class="members">${argumentItems(type)}</ul>
</div>
<div class="samples">${codeBlock(prettyJson(example), 'json', `Example of ${type}`)}</div>
</section>
`;
};

export const faultsSection = (common: ReadonlySet<AnyFaultType>): Html => {
  const examples = faultExamples();
  return html`<section id="faults" aria-labelledby="faults-title">
<h2 id="faults-title">Faults</h2>
<p>Every answer that is not a success has the same body: <code>code</code> is the HTTP status, and <code>fault</code> says what is wrong. Decide by <code>fault.type</code>. Show <code>fault.message</code> to people. <code>fault.arguments</code> names the offending input. A faulty row of a list has the same type, message and arguments in its columns.</p>
<p>Every call may have these faults, so the operations do not list them:</p>
<ul class="fault-links">${[...common].map((type) => html`<li>${faultLink(type)}</li>`)}</ul>
${TYPES.map((type) => faultSection(type, examples[type]?.value))}
</section>
`;
};
