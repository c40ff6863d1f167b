/** Leads to a control of the page. */
export const goToControl = (id: string): void => {
  const control = document.getElementById(id);
  // Seldom used fields are folded away.
  control?.closest('details')?.setAttribute('open', '');
  control?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
};
