/** What services are called: in menus, and by the pages of results, whose rows and sums have only codes. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Services } from '../calls.ts';

type Service = Pick<Services['services'][number], 'shippingService' | 'description'>;

/** `UPS Ground · UPS-GROUND` */
export const serviceOptions = (services: readonly Service[]) =>
  services.map(({ shippingService: value, description }) => ({
    value,
    label: description === '' ? value : `${description} · ${value}`,
  }));

/** People with a link to a result cannot ask for names, and see the codes. */
const Names = createContext((code: string): string => code);

/** The name of a service by its code. A service that is no longer in force has its code. */
export const useServiceName = () => useContext(Names);

/** @param of undefined until they have loaded */
export const ServiceNames = (props: { of: readonly Service[] | undefined; children: ComponentChildren }) => (
  <Names.Provider
    value={(code) => props.of?.find(({ shippingService }) => shippingService === code)?.description || code}
  >
    {props.children}
  </Names.Provider>
);
