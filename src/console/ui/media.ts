/** Whether a media query holds, such as for the width of the window. */
import { useEffect, useState } from 'preact/hooks';

export const PHONE = '(width < 700px)';

export const useMedia = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = (): void => setHolds(list.matches);
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  }, [query]);
  return holds;
};
