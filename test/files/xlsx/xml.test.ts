/** The reader of XML says what saxes says of the same text, however the text is cut into pieces. */
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/files/unreadable-file.ts';
import { readXml, type XmlHandlers } from '../../../src/files/xlsx/xml.ts';

type Event = readonly ['open', string, Readonly<Record<string, string>>] | readonly ['text' | 'close', string];

/** The events, or what is wrong. Texts beside each other are one. */
interface Said {
  readonly events: Event[];
  readonly problem?: string;
}

const addText = (events: Event[], text: string): void => {
  const last = events.at(-1);
  if (last?.[0] === 'text') events[events.length - 1] = ['text', last[1] + text];
  else events.push(['text', text]);
};

const said = async (pieces: readonly Buffer[], handlers?: XmlHandlers): Promise<Said> => {
  const events: Event[] = [];
  async function* content(): AsyncGenerator<Buffer> {
    yield* pieces;
  }
  try {
    const all: XmlHandlers = {
      open: (name, attributes) => events.push(['open', name, { ...attributes }]),
      text: (text) => addText(events, text),
      close: (name) => events.push(['close', name]),
    };
    const read = readXml(content(), handlers ?? all);
    for await (const _ of read);
  } catch (error) {
    if (error instanceof UnreadableFile) return { events: [], problem: error.problem };
    throw error;
  }
  return { events };
};

/** What saxes says. It knows no namespaces here, so texts to compare have no prefixes. */
const saidBySaxes = (text: string): Said => {
  const events: Event[] = [];
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  const add = (text: string): void => {
    if (depth > 0) addText(events, text);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    events.push(['open', name, { ...attributes }]);
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.push(['close', name]);
  });
  parser.on('doctype', () => {
    throw new Error('it declares a document type');
  });
  try {
    parser.write(text).close();
  } catch (error) {
    return { events: [], problem: `is damaged: ${error instanceof Error ? error.message : String(error)}` };
  }
  return { events };
};

const whole = (text: string): Promise<Said> => said([Buffer.from(text)]);
const withoutEmpty = ({ events, ...rest }: Said): Said => ({
  events: events.filter(([kind, text]) => kind !== 'text' || text !== ''),
  ...rest,
});

const RICH =
  '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<!-- a - b --><?pi x?y ?>\n' +
  '<ä xml:space=\'preserve\' b = "1&#x41;&lt;\r\n\t>" >a &amp; b\r\nc\rd]]e &#128512;é€😀' +
  '<![CDATA[<x>&amp;]]]><c/><d\n></d\t><!----></ä>\n<!-- end --> ';

describe('XML', () => {
  test('gives its tags, values and texts', async () => {
    expect(await whole(RICH)).toEqual({
      events: [
        ['open', 'ä', { 'xml:space': 'preserve', b: '1A<  >' }],
        ['text', 'a & b\nc\nd]]e 😀é€😀<x>&amp;]'],
        ['open', 'c', {}],
        ['close', 'c'],
        ['open', 'd', {}],
        ['close', 'd'],
        ['close', 'ä'],
      ],
    });
  });

  test('gives the same however it is cut', async () => {
    const bytes = Buffer.from(RICH);
    const expected = await whole(RICH);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(await said([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
    expect(await said(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected);
  });

  test.each([
    ['', 'document must contain a root element.'],
    ['  ', 'document must contain a root element.'],
    ['x<a/>', 'text data outside of root node.'],
    ['<a/>x', 'text data outside of root node.'],
    ['<a/><![CDATA[]]>', 'text data outside of root node.'],
    ['<a/><b/>', 'documents may contain only one root.'],
    ['<a>', 'unclosed tag: a'],
    ['<a><b></a>', 'unexpected close tag.'],
    ['<a></a></a>', 'unmatched closing tag: a.'],
    ['<a></>', 'weird empty close tag.'],
    ['<a></a b>', 'disallowed character in closing tag.'],
    ['<a><b', 'unclosed tag: a'],
    ['<a b="', 'unexpected end.'],
    ['<a/><!-- ', 'unexpected end.'],
    ['< a/>', 'disallowed character in tag name'],
    ['<a,/>', 'disallowed character in tag name.'],
    ['<a / >', 'forward-slash in opening tag not followed by >.'],
    ['<a b>', 'attribute without value.'],
    ['<a b c="1">', 'attribute without value.'],
    ['<a b,="1">', 'disallowed character in attribute name.'],
    ['<a 1="1">', 'disallowed character in attribute name.'],
    ['<a b=1>', 'unquoted attribute value.'],
    ['<a b="1"c="2">', 'no whitespace between attributes.'],
    ['<a b="1",>', 'disallowed character in attribute name.'],
    ['<a b="1" b="2"/>', 'duplicate attribute: b.'],
    ['<a b="<"/>', 'disallowed character.'],
    ['<a b="\0"/>', 'disallowed character.'],
    ['<a>\x1f</a>', 'disallowed character.'],
    ['<a>\uffff</a>', 'disallowed character.'],
    ['<a>&b;</a>', 'undefined entity.'],
    ['<a b="&b;"/>', 'undefined entity.'],
    ['<a>& b;</a>', 'disallowed character in entity name.'],
    ['<a>&;</a>', 'empty entity name.'],
    ['<a>&#0;</a>', 'malformed character entity.'],
    ['<a>&#xD800;</a>', 'malformed character entity.'],
    ['<a>&#x110000;</a>', 'malformed character entity.'],
    ['<a>&#X41;</a>', 'malformed character entity.'],
    ['<a><![CDATA[\0]]></a>', 'disallowed character.'],
    ['<a>]]></a>', 'the string "]]>" is disallowed in char data.'],
    ['<a><!-- -- --></a>', 'malformed comment.'],
    ['<a><!x--></a>', 'incorrect syntax.'],
    ['<a><? x?></a>', 'processing instruction without a target.'],
    ['<a><?1?></a>', 'disallowed character in processing instruction name.'],
    ['<a><?x,?></a>', 'disallowed character in processing instruction name.'],
    [' <?xml version="1.0"?><a/>', 'an XML declaration must be at the start of the document.'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'it declares a document type'],
  ])('that is not well-formed is rejected as saxes rejects it: %j', async (text, problem) => {
    expect(await whole(text)).toEqual({ events: [], problem: `is damaged: ${problem}` });
    expect((await said([Buffer.from(text)], {})).problem).toBe(`is damaged: ${problem}`);
    expect(saidBySaxes(text).problem).toBe(`is damaged: ${problem}`);
  });

  test.each([
    '<?xml?>',
    '<?xml version="1.1"?>',
    '<?xml version="1.0" encoding=""?>',
    '<?xml version="1.0" standalone="no" encoding="UTF-8"?>',
    '<?xml encoding="UTF-8"?>',
  ])('with the declaration %s is rejected', async (declaration) => {
    expect(await whole(`${declaration}<a/>`)).toEqual({
      events: [],
      problem: 'is damaged: its XML declaration is not one of XML 1.0',
    });
  });

  test('quotes no more than 200 characters of a name', async () => {
    const { problem } = await whole(`<${'a'.repeat(1_000_000)}>`);
    expect(problem).toBe(`is damaged: unclosed tag: ${'a'.repeat(186)}`);
  });

  test('with a text or a tag that never ends is rejected, in time that grows with its length', async () => {
    const small = Buffer.alloc(10_000, 'x');
    for (const start of ['<a>', '<a ', '<a b="', '<!--', '<a><![CDATA[', '<?']) {
      const pieces = [Buffer.from(start), ...Array(420).fill(small)];
      expect((await said(pieces)).problem).toBe('is damaged: it has a text or tag that is too long');
    }
  }, 10_000);
});

test('what saxes says of any text is said of it, however it is cut', async () => {
  const part = fc.constantFrom(
    ...['<a>', '</a>', '<b c="1">', '</b>', '<b/>', '<a b=\'\t\' c="x"/>', '<a b="1" b="2">', '</a >', '< a>', '<a'],
    ...[' ', '\r\n', '\r', '\n', '\t', 'x', 'é', '😀', '\ufffd', '\x01', '\uffff', '"', "'", '=', '>', '/>', '/', '<'],
    ...['&amp;', '&lt;', '&#10;', '&#x1F600;', '&#0;', '&nope;', '&', ';', ']]>', ']', '-', '--', '?>', 'a=', ' b="'],
    ...['<!--', '-->', '<!-- x -->', '<![CDATA[', ']]>', '<![CDATA[ <&]] ]]>', '<?p q?>', '<?', '<!', '<!DOCTYPE a>'],
    ...['<?xml version="1.0"?>', '\ufeff', '_x0041_', 'c:d', '<c.1-2>', '</c.1-2>'],
  );
  const body = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const text = fc.oneof(
    body,
    body.map((inside) => `<a>${inside}</a>`),
    body.map((inside) => `<a>${inside}</a>`.replaceAll('<!DOCTYPE', '')),
    body.map((inside) => `<a b="${inside}"/>`),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat({ max: 60 }), { maxLength: 4 }), async (xml, cuts) => {
      const bytes = Buffer.from(xml);
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      const expected = withoutEmpty(saidBySaxes(xml));
      const found = withoutEmpty(await said(pieces));
      expect(found.events).toEqual(expected.events);
      expect(found.problem === undefined).toBe(expected.problem === undefined);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 700) },
  );
}, 60_000);
