/** An error whose message tells people what to do. Its stack would tell them nothing more. */
export class ToldError extends Error {}

/**
 * Represents a value that could not be made. Only failures are wrapped in this class, so a value may have any members
 * and costs nothing.
 */
export class Failed<out F> {
  /** Makes the class nominal: an object that merely has a `fault` is a value. */
  declare protected readonly nominal: true;
  readonly fault: F;
  constructor(fault: F) {
    this.fault = fault;
  }
}
