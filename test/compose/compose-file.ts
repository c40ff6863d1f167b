/** `docker-compose.yml`, read as Docker Compose reads it. A key that this does not know is an error, so that nothing is left out. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const words = z.array(z.string());
const CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully'] as const;
const conditions = z.record(z.string(), z.strictObject({ condition: z.enum(CONDITIONS) }));
const started = words.transform((names) =>
  Object.fromEntries(names.map((name) => [name, { condition: 'service_started' as const }])),
);

/** `2s` */
const seconds = z
  .string()
  .regex(/^\d+s$/)
  .transform((text) => Number(text.slice(0, -1)) * 1_000);

const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.literal('.'), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.union([started, conditions]).default({}),
  entrypoint: words.optional(),
  command: words.optional(),
  volumes: words.default([]),
  tmpfs: words.default([]),
  ports: words.default([]),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({ test: words, interval: seconds, timeout: seconds, retries: z.number() }),
    ])
    .optional(),
  deploy: z.strictObject({ replicas: z.number() }).default({ replicas: 1 }),
  stop_grace_period: seconds.default(10_000),
  read_only: z.boolean().default(false),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]).optional(),
  init: z.literal(true).optional(),
  restart: z.literal('unless-stopped').optional(),
});
export type Service = z.output<typeof service>;

const file = z.strictObject({
  'x-rates': z.unknown(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});

/** Puts the values in for `${NAME:-default}` and `${NAME:?message}`. */
const interpolate = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(`${name} ${rest}`);
    return rest;
  });

export const readCompose = async (path: string, env: Readonly<Record<string, string | undefined>>) => {
  const put = (_: unknown, value: unknown): unknown => (typeof value === 'string' ? interpolate(value, env) : value);
  return file.parse(parse(await readFile(path, 'utf8'), put, { merge: true }));
};

/** The services in the order in which they start: each after all that it depends on. */
export const inOrder = (services: Readonly<Record<string, Service>>): readonly string[] => {
  const order: string[] = [];
  const add = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) throw new Error(`these services wait for each other: ${[...above, name].join(', ')}`);
    const found = services[name];
    if (found === undefined) throw new Error(`${above.at(-1)} depends on ${name}, which is no service`);
    for (const needed of Object.keys(found.depends_on)) add(needed, [...above, name]);
    if (!order.includes(name)) order.push(name);
  };
  for (const name of Object.keys(services)) add(name, []);
  return order;
};
