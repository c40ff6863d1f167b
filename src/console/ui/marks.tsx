/** Small words in rounded boxes. */

/** A surcharge that the client's agreement takes off. */
export const Waived = () => <span class="mark good">waived</span>;
