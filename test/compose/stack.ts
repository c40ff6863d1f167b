/** What runs the services of `docker-compose.yml`. */
export interface Stack {
  /** Says how it runs them, and what of the file it does in another way. */
  readonly about: readonly string[];
  /** Where the proxy listens. */
  readonly url: string;
  /** Makes the images. @returns lines about them */
  readonly build: () => Promise<readonly string[]>;
  /** Starts all services in their order. @returns lines about them */
  readonly up: () => Promise<readonly string[]>;
  /** Runs a program in a separate container, as `docker compose run --rm` does. @returns what it writes */
  readonly run: (service: string, args: readonly string[], volumes?: readonly string[]) => Promise<string>;
  /** Runs a program in each container of a service. @returns what each of them writes */
  readonly exec: (service: string, command: readonly string[]) => Promise<readonly string[]>;
  /** Stops all services and removes their containers. The volumes stay. @returns lines about them */
  readonly down: () => Promise<readonly string[]>;
  /** The last lines of each container. */
  readonly logs: () => Promise<string>;
  /** Removes everything that it made. */
  readonly remove: () => Promise<void>;
}

export const PROJECT = 'rates-compose-test';
