/** An assistant: the protocol's own client, which starts `rates mcp` and calls its tools. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { FaultBody } from '../../src/rating/fault.ts';
import { NO_PROFILES, ROOT } from './rates.ts';

export interface Assistant {
  /** The names of the tools, and whether each only reads. */
  readonly tools: () => Promise<readonly (readonly [string, boolean | undefined])[]>;
  /** @returns the answer of a tool, which the client has checked against the tool's schema @throws {Error} on a fault */
  // biome-ignore lint/suspicious/noExplicitAny: as JSON.parse
  readonly answer: (tool: string, input: object) => Promise<Record<string, any>>;
  readonly fault: (tool: string, input: object) => Promise<FaultBody>;
  /** All texts that it was answered. */
  readonly heard: readonly string[];
  /** What the program wrote to standard error. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** @param args of Node: the program and its arguments @param cwd where it starts */
export const startAssistant = async (args: readonly string[], cwd = ROOT): Promise<Assistant> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...NO_PROFILES },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (words) => {
    log += String(words);
  });
  const client = new Client({ name: 'a test', version: '1.0.0' });
  await client.connect(transport);
  // With the list, the client knows the schemas of the answers.
  await client.listTools();
  const heard: string[] = [];
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    heard.push(JSON.stringify(result));
    const [content] = Array.isArray(result['content']) ? result['content'] : [];
    return { isError: result['isError'] === true, value: JSON.parse(content.text), own: result['structuredContent'] };
  };
  return {
    tools: async () => (await client.listTools()).tools.map((one) => [one.name, one.annotations?.readOnlyHint]),
    answer: async (name, input) => {
      const { isError, value, own } = await call(name, input);
      if (isError || JSON.stringify(own) !== JSON.stringify(value)) throw new Error(JSON.stringify(value));
      return value;
    },
    fault: async (name, input) => {
      const { isError, value } = await call(name, input);
      if (!isError) throw new Error(`no fault: ${JSON.stringify(value)}`);
      return value.fault;
    },
    heard,
    log: () => log,
    close: () => client.close(),
  };
};
