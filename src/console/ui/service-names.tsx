/** Names of services, for menus and for result pages, whose rows and sums have only codes. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Services } from '../calls.ts';

type Service = Pick<Services['services'][number], 'shippingService' | 'description'>;

/** Formats `UPS Ground · UPS-GROUND`. */
export const serviceOptions = (services: readonly Service[]) =>
  services.map(({ shippingService: value, description }) => ({
    value,
    label: description === '' || description === value ? value : `${description} · ${value}`,
  }));

/** The name of a service, or its code if it is not in `of`, such as one that is no longer in force. */
export const serviceName = (code: string, of: readonly Service[] = []): string =>
  of.find(({ shippingService }) => shippingService === code)?.description || code;

const Names = createContext((code: string): string => code);

/** Returns `serviceName` for the services of the page. */
export const useServiceName = () => useContext(Names);

/** @param of undefined until the services have loaded */
export const ServiceNames = (props: { of: readonly Service[] | undefined; children: ComponentChildren }) => (
  <Names.Provider value={(code) => serviceName(code, props.of)}>{props.children}</Names.Provider>
);
