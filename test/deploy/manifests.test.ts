/** What cannot run here is checked against the schemas of the systems that will run it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/base/config/settings.ts';
import { API_NODE_OPTIONS, ONE_GC_THREAD } from '../../src/base/process/programs.ts';
import type { Operation } from '../../src/http/operation.ts';
import { ALL } from '../../src/http/operations.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MODELS = { ConfigMap, Deployment, Namespace, PodDisruptionBudget, ScaledObject, Service };
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

const kubernetes = parseAllDocuments(await read('deploy/kubernetes.yaml')).map((document) => document.toJS());
const named = (kind: string, name: string) =>
  kubernetes.find((document) => document.kind === kind && document.metadata.name === name);

const modelOf = (kind: string) => {
  const Model = Object.entries(MODELS).find(([model]) => model === kind)?.[1];
  if (Model === undefined) throw new Error(`there is no schema of ${kind}`);
  return Model;
};

/** A value that notes the path of each field of it that is read. */
const noting = <T>(value: T, path: string, read: Set<string>): T =>
  typeof value !== 'object' || value === null
    ? value
    : (new Proxy<object>(value, {
        get: (target, key) => {
          const below = `${path}/${String(key)}`;
          read.add(below);
          return noting(Reflect.get(target, key), below, read);
        },
      }) as T);

const paths = (value: unknown, path: string): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, below]) => [`${path}/${key}`, ...paths(below, `${path}/${key}`)])
    : [];

/** Checks a document by its schema. @returns the fields that the schema does not know: those that it does not read */
const unknownFields = (document: (typeof kubernetes)[number]): readonly string[] => {
  const read = new Set<string>();
  const model = new (modelOf(document.kind))(document);
  model.validate.call(noting(model, '', read));
  return paths(document, '').filter((path) => !read.has(path));
};

// The schemas are those of Kubernetes 1.33: they have its `stopSignal`, and no `hostnameOverride` of 1.34.
describe('the Kubernetes manifests', () => {
  test.each(kubernetes.map((document) => [document.kind, document.metadata.name, document]))(
    '%s %s is as its schema says, and has no other fields',
    (_kind, _name, document) => expect(unknownFields(document)).toEqual([]),
  );

  test('the schemas refuse what is wrong', () => {
    const wrong = structuredClone(named('Deployment', 'rates-api'));
    wrong.spec.template.spec.containers[0].ports[0].containerPort = 'http';
    expect(() => unknownFields(wrong)).toThrow('containerPort');
  });

  test.each([
    ['Deployment', 'rates-api', 'spec/template/spec/containers/0/securityContext/readOnlyRootFileSystem'],
    ['Deployment', 'rates-worker', 'spec/template/spec/terminationGracePeriod'],
    ['Service', 'rates', 'spec/port'],
    ['ScaledObject', 'rates-worker', 'spec/maxReplicas'],
    ['Namespace', 'rates', 'labels'],
  ])('the schema of %s refuses the misspelled field of %s: %s', (kind, name, path) => {
    const wrong = structuredClone(named(kind, name));
    const keys = path.split('/');
    const last = keys.pop() ?? '';
    keys.reduce((at, key) => at[key], wrong)[last] = true;
    expect(unknownFields(wrong)).toEqual([`/${path}`]);
  });

  test('the API answers until it is unready, and is given the time to end', () => {
    const { terminationGracePeriodSeconds, containers } = named('Deployment', 'rates-api').spec.template.spec;
    const pause = Number(containers[0].lifecycle.preStop.exec.command[1]);
    // The 25 seconds of src/cli/serve/api.ts.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(pause + 25);
    expect(containers[0].readinessProbe.httpGet.path).toBe('/readyz');
  });

  test('the Service is reached by each of its names', () => {
    const { name, namespace } = named('Service', 'rates').metadata;
    const { data } = named('ConfigMap', 'rates');
    const { allowedHosts } = readConfig({ ...data, HOST: '0.0.0.0' });
    const full = `${name}.${namespace}.svc.cluster.local`;
    expect(allowedHosts).toEqual([name, `${name}.${namespace}`, `${name}.${namespace}.svc`, full]);
  });

  test('workers are scaled by a metric that the service has', async () => {
    const [trigger] = named('ScaledObject', 'rates-worker').spec.triggers;
    const metric = /\b(rates_\w+)\{/.exec(trigger.metadata.query)?.[1];
    expect(await read('src/http/work-metrics.ts')).toContain(`family('${metric}'`);
    expect(named('ScaledObject', 'rates-worker').spec.scaleTargetRef.name).toBe(
      named('Deployment', 'rates-worker').metadata.name,
    );
  });
});

test('an API in a container has the options of Node.js that `rates serve` gives it', async () => {
  const { services } = parse(await read('docker-compose.yml'), { merge: true });
  const [{ env }] = named('Deployment', 'rates-api').spec.template.spec.containers;
  expect(services.api.environment.NODE_OPTIONS).toBe(API_NODE_OPTIONS);
  expect(env).toEqual([{ name: 'NODE_OPTIONS', value: API_NODE_OPTIONS }]);
  expect(await read('deploy/Dockerfile')).toContain(
    `ENTRYPOINT ["node", "${ONE_GC_THREAD}", "dist/bundle/cli/main.js"]`,
  );
  expect(await read('docs/operating.md')).toContain(
    `NODE_OPTIONS='${API_NODE_OPTIONS}' \\\n    node ${ONE_GC_THREAD} node_modules/.bin/rates api`,
  );
});

describe('deploy/nginx.conf', () => {
  test('limits every call that tries a secret, by address, and says so as the API does', async () => {
    const text = await read('deploy/nginx.conf');
    const limited = [...text.matchAll(/"POST (\S+)" \$binary_remote_addr;/g)].map(([, path]) => path);
    const tries = Object.values<Operation>(ALL).filter(
      ({ method, path, caller }) => method === 'post' && (caller === 'credentials' || path === '/ops/session'),
    );
    expect(limited.toSorted()).toEqual(tries.map(({ path }) => path).toSorted());
    const { code, fault } = JSON.parse(/return 429 '(.*)';/.exec(text)?.[1] ?? '');
    expect([code, fault.type, fault.arguments]).toEqual([429, 'request.rateLimited', { limit: 'triesAtProxy' }]);
  });

  test('replaces the address that a caller writes', async () => {
    expect(await read('deploy/nginx.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });
});

describe('docker-compose.yml', () => {
  const compose = async () => parse(await read('docker-compose.yml'), { merge: true });

  test('has Redis, an S3 server, two APIs behind a proxy, and workers', async () => {
    const { services } = await compose();
    expect(Object.keys(services)).toEqual(['redis', 's3', 'bucket', 'api', 'worker', 'proxy']);
    expect(services.redis.command).toEqual(expect.arrayContaining(['--appendonly', 'yes', 'noeviction']));
    expect(services.api.deploy.replicas).toBe(2);
    expect(services.proxy.ports.join()).toMatch(/^127\.0\.0\.1:\$\{PUBLISH_PORT:-3000\}:8080$/);
    expect(services.api.environment.TRUSTED_PROXIES).toContain(':-172.16.0.0/12,192.168.0.0/16}');
  });

  test('takes all rights from the API and the workers that they do not need', async () => {
    const { services } = await compose();
    for (const { read_only, tmpfs, cap_drop, security_opt } of [services.api, services.worker])
      expect([read_only, tmpfs, cap_drop, security_opt]).toEqual([true, ['/tmp'], ['ALL'], ['no-new-privileges:true']]);
  });

  test('gives the S3 server and its callers the same key', async () => {
    const { services } = await compose();
    const [identity] = JSON.parse(await read('deploy/s3-identities.json')).identities;
    for (const { environment } of [services.api, services.worker, services.bucket]) {
      expect(environment.AWS_ACCESS_KEY_ID).toBe(identity.credentials[0].accessKey);
      expect(environment.AWS_SECRET_ACCESS_KEY).toBe(identity.credentials[0].secretKey);
    }
  });

  const commands = [['docker', 'compose'], ['docker-compose']] as const;
  const installed = commands.find(([command, ...rest]) => spawnSync(command, [...rest, 'version']).status === 0);
  test.skipIf(installed === undefined)('is one that docker compose accepts (skipped where it is not installed)', () => {
    const [command, ...rest] = installed ?? ['docker'];
    const TOKEN_SECRET = 'a-secret-for-the-check-alone-0123456789';
    const env = { ...process.env, TOKEN_SECRET };
    const config = execFileSync(command, [...rest, '-f', join(ROOT, 'docker-compose.yml'), 'config'], { env });
    expect(Object.keys(parse(config.toString()).services)).toHaveLength(6);
    const { TOKEN_SECRET: _, ...without } = env;
    const refused = spawnSync(command, [...rest, '-f', join(ROOT, 'docker-compose.yml'), 'config'], { env: without });
    expect(refused.stderr.toString()).toContain('must be set');
  });
});

describe('the Dockerfile', () => {
  test('runs as a user without rights, with a health check, on a Node that package.json takes', async () => {
    const stages = (await read('deploy/Dockerfile')).split(/^FROM /m).slice(1);
    expect(stages).toHaveLength(2);
    const [, final = ''] = stages;
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK /m);
    expect(final).not.toMatch(/npm|COPY \. /);
    expect(stages.map((stage) => stage.split(/\s/)[0])).toEqual(['$NODE_IMAGE', '$NODE_IMAGE']);
    expect(await read('deploy/Dockerfile')).toMatch(/^ARG NODE_IMAGE=node:24-/m);
    expect(JSON.parse(await read('package.json')).engines.node).toBe('^20.20.0 || ^22.13.0 || >=24.0.0');
  });
});
