/** Names of services, for menus and for result pages, whose rows and sums have only codes. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Services } from '../calls.ts';

type Service = Pick<Services['services'][number], 'shippingService' | 'description'>;

/** Formats `UPS Ground · UPS-GROUND`. */
export const serviceOptions = (services: readonly Service[]) =>
  services.map(({ shippingService: value, description }) => ({
    value,
    label: description === '' ? value : `${description} · ${value}`,
  }));

const Names = createContext((code: string): string => code);

/** Returns the name of a service by its code. Returns the code for a service that is no longer in force. */
export const useServiceName = () => useContext(Names);

/** @param of undefined until the services have loaded */
export const ServiceNames = (props: { of: readonly Service[] | undefined; children: ComponentChildren }) => (
  <Names.Provider
    value={(code) => props.of?.find(({ shippingService }) => shippingService === code)?.description || code}
  >
    {props.children}
  </Names.Provider>
);
