/** Serves the tools over stdio with the protocol's SDK. Standard output is for the protocol, standard error for the log. */
import { opendir } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { readConfig } from '../../base/config/settings.ts';
import { pathText } from '../../base/validation.ts';
import { schemaOf } from '../../http/openapi/schemas.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { type Io, interruption, say } from '../io.ts';
import { openLocal } from '../rate/local-sources.ts';
import { remoteOf } from '../rate/service-options.ts';
import { version } from '../version.ts';
import type { McpFlags } from './mcp.ts';
import { faultOf, type Surroundings, TOOLS, type Tool, toolFault } from './tools.ts';

/** The maximum size of an answer as JSON, about 12,000 tokens. */
const MOST_BYTES = 48 * 1024;
/** The length that a longer text is cut to. */
const MOST_CHARACTERS = 1_000;

/** Members of an answer with omitted parts. */
const CUT_MEMBERS = {
  cut: z
    .array(z.object({ at: z.string(), kept: z.int(), of: z.int() }))
    .optional()
    .describe('Lists and texts that were too long: how many entries or characters were kept.'),
  readOn: z.string().optional().describe('How to get the rest.'),
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

interface Place {
  readonly holder: object;
  readonly key: string;
  readonly value: readonly unknown[] | string;
  readonly at: string;
}

/** The lists and texts in a value, at any depth. */
function* placesIn(holder: object, above: readonly PropertyKey[] = []): Generator<Place> {
  for (const [key, value] of Object.entries(holder)) {
    const path = [...above, Array.isArray(holder) ? Number(key) : key];
    if (Array.isArray(value) || typeof value === 'string') yield { holder, key, value, at: pathText(path) };
    if (typeof value === 'object' && value !== null) yield* placesIn(value, path);
  }
}

/**
 * Cuts an answer in place if it is too long.
 * @param readOn how to get the omitted parts @throws {ToolFault} if it cannot be made short enough
 */
const bounded = (answer: object, readOn: string): object => {
  const cut = new Map<string, { readonly kept: number; readonly of: number }>();
  const told = (): object =>
    cut.size === 0 ? answer : { ...answer, cut: [...cut].map(([at, counts]) => ({ at, ...counts })), readOn };
  const shorten = ({ holder, key, value, at }: Place, kept: number): void => {
    Object.assign(holder, { [key]: value.slice(0, kept) });
    cut.set(at, { kept, of: cut.get(at)?.of ?? value.length });
  };
  if (bytesOf(answer) <= MOST_BYTES) return answer;
  for (const place of [...placesIn(answer)])
    if (typeof place.value === 'string' && place.value.length > MOST_CHARACTERS) shorten(place, MOST_CHARACTERS);
  while (bytesOf(told()) > MOST_BYTES) {
    const lists = [...placesIn(answer)].filter(({ value }) => typeof value !== 'string' && value.length > 1);
    const [longest] = lists.sort((a, b) => bytesOf(b.value) - bytesOf(a.value));
    if (longest === undefined)
      throw toolFault('tool.failed', `The answer has more than ${MOST_BYTES} bytes. ${readOn}`);
    shorten(longest, Math.ceil(longest.value.length / 2));
  }
  return told();
};

/** The answer to a line that is not JSON. The protocol's SDK sends none. */
const NOT_JSON = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The line is not JSON."}}\n';

/** The maximum number of concurrent calls. */
const AT_ONCE = 8;
/** The longest duration of a call: the upload of a long list. */
const MOST_CALL_MS = 300_000;

/** A tool's declaration for the protocol. */
const declared = ({ name, about, input, output, starts }: Tool) => ({
  name,
  description: about,
  inputSchema: { ...schemaOf(input), type: 'object' as const },
  outputSchema: { ...schemaOf(output.extend(CUT_MEMBERS)), type: 'object' as const },
  annotations: { readOnlyHint: starts !== true, destructiveHint: false },
});

const textOf = (value: object): CallToolResult['content'] => [{ type: 'text', text: JSON.stringify(value) }];

const answerOf = async (tool: Tool, given: unknown, at: Surroundings): Promise<CallToolResult> => {
  const read = tool.output.safeParse(await tool.run(given, at));
  if (!read.success)
    throw toolFault('service.unreachable', 'The service has another version: its answer is not known.');
  const structuredContent = { ...bounded(read.data, tool.readOn) };
  return { content: textOf(structuredContent), structuredContent };
};

/** More arguments of a fault are omitted. */
const MOST_ARGUMENTS = 50;

const faultAnswer = ({ type, message, arguments: args }: FaultBody): CallToolResult => {
  const entries = Object.entries(args);
  const left = entries.length > MOST_ARGUMENTS ? ` ${entries.length - MOST_ARGUMENTS} arguments are left out.` : '';
  const fault = { type, message: `${message}${left}`, arguments: Object.fromEntries(entries.slice(0, MOST_ARGUMENTS)) };
  return { isError: true, content: textOf({ fault: bounded(fault, 'Correct the first problems.') }) };
};

/**
 * Serves until standard input ends or the process is told to stop. Earlier calls are still answered. @throws
 * {CommandFailure} if the service, the client or the tariffs are unusable
 */
export const serveMcp = async (
  { allowChanges, local: isLocal, client, folder = process.cwd(), ...service }: McpFlags,
  io: Io,
): Promise<void> => {
  const stopped = interruption();
  // A wrong name must not look like a folder without lists.
  await (await opendir(folder)).close();
  const remote = isLocal ? undefined : await remoteOf(service, io.env, stopped);
  const local = isLocal ? await openLocal(readConfig(io.env), { clientId: client }) : undefined;
  const tools = TOOLS.filter((one) => (allowChanges || !one.starts) && (remote !== undefined || one.local));
  const server = new Server(
    { name: 'shipping-rates', version: version() },
    { capabilities: { tools: {} }, instructions: 'Prices come only from these tools. Do not compute any yourself.' },
  );
  const working = new Set<Promise<CallToolResult>>();

  const call = async (name: string, given: unknown, cancelled: AbortSignal): Promise<CallToolResult> => {
    const begun = performance.now();
    const tool = tools.find((one) => one.name === name);
    const signal = AbortSignal.any([stopped, cancelled, AbortSignal.timeout(MOST_CALL_MS)]);
    const done = (told: string, answer: CallToolResult): CallToolResult => {
      say(io, `${tool?.name ?? 'unknown tool'}: ${told}, ${Math.round(performance.now() - begun)} ms`);
      return answer;
    };
    try {
      if (tool === undefined)
        throw toolFault('tool.unknown', `The tools are ${tools.map((one) => one.name).join(', ')}.`);
      if (working.size >= AT_ONCE) throw toolFault('tool.busy', `${AT_ONCE} calls are running.`);
      const answer = await answerOf(tool, given, { service: remote, local, folder, io, signal });
      return done(`${bytesOf(answer.structuredContent)} bytes`, answer);
    } catch (error) {
      const fault = faultOf(error, given);
      return done(fault.type, faultAnswer(fault));
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(declared) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const answering = call(params.name, params.arguments ?? {}, signal);
    working.add(answering);
    return await answering.finally(() => working.delete(answering));
  });
  // A malformed line may have addresses, so it is not printed.
  server.onerror = (error) => {
    say(io, `A message from the assistant could not be read or answered (${error.name}).`);
    if (error instanceof SyntaxError) io.stdout.write(NOT_JSON);
  };
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const end = async (): Promise<void> => {
    await Promise.allSettled(working);
    // The last answers are sent in this turn of the event loop.
    await turn();
    await server.close();
  };
  io.stdin.once('end', () => void end());
  stopped.addEventListener('abort', () => void end());
  await server.connect(new StdioServerTransport());
  const payer = remote === undefined ? `${local?.client.id} on this machine` : `${remote.clientId} at ${remote.server}`;
  const access = allowChanges ? 'it may start batches and comparisons' : 'read-only';
  say(io, `Tools for the client ${payer}, ${access}. Files are read below ${folder}.`);
  await closed;
};
