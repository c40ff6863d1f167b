/** An error whose message tells people what to do. Its stack would tell them nothing more. */
export class ToldError extends Error {}

/**
 * Stands in place of a value that could not be made. A class of its own, so that a value may have any members and costs
 * nothing: only a failure is wrapped.
 */
export class Failed<out F> {
  /** Makes the class nominal: an object that merely has a `fault` is a value. */
  declare protected readonly nominal: true;
  readonly fault: F;
  constructor(fault: F) {
    this.fault = fault;
  }
}
