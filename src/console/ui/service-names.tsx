/** Names of services, for menus and for result pages, whose rows and sums have only codes. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { groupsOf } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
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

/** Makes one row of a carrier's services with the same terms: `All 8 UPS services`, with their names. */
export const groupedServices = <S extends Service & { readonly carrier: string | null }>(
  services: readonly S[],
  termsOf: (service: S) => string,
) =>
  groupsOf(services, (own) => JSON.stringify([own.carrier, termsOf(own)])).map((own) => {
    const first = must(own[0], 'a service');
    const { shippingService: code, description, carrier } = first;
    if (own.length === 1) return { ...first, title: description || code, names: description === code ? '' : code };
    const isAll = own.length === services.filter((one) => one.carrier === carrier).length;
    const isShared = new Set(own.map((one) => one.description)).size < own.length;
    const names = own.map((one) => `${one.description}${isShared ? ` (${one.shippingService})` : ''}`);
    return {
      ...first,
      title: `${isAll ? 'All ' : ''}${own.length} ${carrier ?? 'other'} services`,
      names: names.join(', '),
    };
  });
