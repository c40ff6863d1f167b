/**
 * The short way from a row to a shipment, for the rows that need no words: cells that are plainly valid are read straight
 * into one reused shipment. Whatever is not plainly valid (or valid in an unusual way) is left to the schema, which is
 * the truth; a property test holds the two to each other.
 */
import { packageWeighing, type Shipment } from '../rating/shipment.ts';
import type { Columns, Field } from './columns.ts';
import { cellOf, type ScannedRow } from './csv.ts';

const PLAIN_WEIGHT = /^\d{1,2}(?:\.\d{1,6})?$/;
const PLAIN_ID = /^[1-9]\d{0,9}$/;
const PLAIN_POSTAL_CODE = /^\d{5}(?:-\d{4})?$/;
const PLAIN_SERVICE = /^[A-Za-z0-9-]{1,10}$/;
const PLAIN_ADDRESS = /^[ -~]{1,35}$/;

/** Fields that, where they have a value, need the schema. */
const UNUSUAL: readonly Field[] = ['length', 'width', 'height', 'shipDate'];

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const read = (text: string, row: ScannedRow, columns: Columns, field: Field): string => {
  const index = columns.fields[field];
  return index === undefined ? (columns.defaults[field] ?? '') : cellOf(text, row, index);
};

/**
 * @returns a reader that gives the row's shipment, the same object each time, or undefined where the schema must judge.
 */
export const createPlainReader = (columns: Columns): ((text: string, row: ScannedRow) => Shipment | undefined) => {
  const shipment: Writable<Shipment> = {
    warehouseId: 0,
    postalCode: '',
    countryCode: 'US',
    residential: false,
    packages: [],
    shippingService: undefined,
    addressLine: undefined,
    shipDate: undefined,
  };
  const unusual = UNUSUAL.filter(
    (field) => columns.fields[field] !== undefined || columns.defaults[field] !== undefined,
  );
  return (text, row) => {
    for (const field of unusual) if (read(text, row, columns, field) !== '') return undefined;
    const warehouse = read(text, row, columns, 'warehouse_id');
    const postalCode = read(text, row, columns, 'postalCode');
    const weight = read(text, row, columns, 'weight_value');
    const units = read(text, row, columns, 'weight_units');
    const country = read(text, row, columns, 'countryCode');
    const service = read(text, row, columns, 'shippingService');
    const address = read(text, row, columns, 'addressLine');
    const residential = read(text, row, columns, 'residential').toLowerCase();
    if (!PLAIN_ID.test(warehouse) || !PLAIN_POSTAL_CODE.test(postalCode) || !PLAIN_WEIGHT.test(weight))
      return undefined;
    if (country !== '' && country !== 'US' && country !== 'us') return undefined;
    if (units !== 'LB' && units !== 'KG') return undefined;
    if (service !== '' && !PLAIN_SERVICE.test(service)) return undefined;
    if (address !== '' && (!PLAIN_ADDRESS.test(address) || columns.ownOutput)) return undefined;
    if (residential !== '' && residential !== 'true' && residential !== 'false') return undefined;
    const value = Number(weight);
    if (value <= 0 || value > 99) return undefined;
    shipment.warehouseId = Number(warehouse);
    shipment.postalCode = postalCode;
    shipment.residential = residential === 'true';
    shipment.packages = [packageWeighing(value, units)];
    shipment.shippingService = service === '' ? undefined : service;
    shipment.addressLine = address === '' ? undefined : address;
    return shipment;
  };
};
