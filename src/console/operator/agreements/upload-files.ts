/** Reads the files that an operator chooses into what the service takes. */

export type Source = 'files' | 'folder' | 'grid';

/** The path inside the agreement's folder: a chosen folder puts its own name before it. */
const pathOf = ({ name, webkitRelativePath }: File): string =>
  webkitRelativePath === '' ? name : webkitRelativePath.split('/').slice(1).join('/');

/** Papers and hidden files beside those of the agreement. */
const isOther = (path: string): boolean => /(?:^|\/)\.|\.(?:md|txt|pdf)$/i.test(path);

export const filesOf = async (chosen: readonly File[]) =>
  await Promise.all(
    chosen
      .map((file) => ({ file, path: pathOf(file) }))
      .filter(({ path }) => !isOther(path))
      .map(async ({ file, path }) => ({ path, text: await file.text() })),
  );

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

export const gridOf = async (file: File, services: string, discount: string) => ({
  content: await base64Of(file),
  services: services
    .split(/[,\s]+/)
    .filter((code) => code !== '')
    .map((code) => code.toUpperCase()),
  ...(discount.trim() === '' ? {} : { discount: discount.trim() }),
});
