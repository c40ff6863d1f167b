/** `rates mcp`: an assistant's tools, over the Model Context Protocol on standard input and output. */
import { command, flag, type Given, text } from '../command.ts';
import { SERVICE_OPTIONS } from '../rate/service-options.ts';

const options = {
  allowChanges: flag('--allow-changes', 'add the tools that start a batch or a comparison'),
  local: flag('--local', 'quote on this machine; lists and batches need a service'),
  client: text('--client <id>', 'with --local: the client that pays; default: the first of CLIENTS_FILE'),
  folder: text('--folder <dir>', 'the folder whose lists and agreements may be read; default: the current one'),
  ...SERVICE_OPTIONS,
};
export type McpFlags = Given<typeof options>;

export const mcp = command({
  path: 'mcp',
  about: 'Give an assistant tools to quote, and to read lists and batches: the Model Context Protocol over stdio',
  options,
  excludes: { local: ['allowChanges', ...Object.keys(SERVICE_OPTIONS)] },
  examples: ['rates mcp', 'rates mcp --allow-changes --folder ~/shipments --profile work', 'rates mcp --local'],
  more: `An assistant starts this command and talks to it. docs/assistant.md says how to add it to an assistant. It acts as one client, that of
\`rates login\` or of the options, and ends when its standard input does. The log goes to standard error.`,
  refuse: ({ client, local }) => client !== undefined && !local && '--client works only with --local.',
  run: async (flags, io) => {
    const { serveMcp } = await import('./serve-mcp.ts');
    await serveMcp(flags, io);
    return {};
  },
});
