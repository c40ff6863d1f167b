/** Shipping terms, each explained in two sentences where a page uses them. Loaded after the page. */
import { Fragment } from 'preact';

const HELP = {
  zone: [
    'Zone',
    'Carriers group destinations by their distance from the ZIP code that a package ships from. The farther it goes, the higher the zone and the price.',
  ],
  dimensionalWeight: [
    'Dimensional weight',
    'It is length × width × height in inches, divided by a number that the carrier sets, such as 139. Carriers bill it when it is greater than the actual weight, so a light, large box costs more.',
  ],
  fuel: [
    'Fuel surcharge',
    'The carrier adds a percentage that changes with the price of fuel, usually every week. The rate on the ship date applies.',
  ],
  deliveryArea: [
    'Delivery area surcharge',
    'Carriers charge more for ZIP codes that cost more to reach, such as rural and remote ones. Each carrier publishes its own list of them.',
  ],
} as const;

export type Word = keyof typeof HELP;

/** Collapsed, so that it does not distract people who know the terms. */
export default ({ about }: { readonly about: readonly Word[] }) => (
  <details class="help screen-only">
    <summary>Glossary: {about.map((word) => HELP[word][0].toLowerCase()).join(', ')}</summary>
    <dl class="stack tiny">
      {about.map((word) => (
        <Fragment key={word}>
          <dt>{HELP[word][0]}</dt>
          <dd class="hint">{HELP[word][1]}</dd>
        </Fragment>
      ))}
    </dl>
  </details>
);
