/**
 * Returns the name of a charge. Handling and signatures always have the same names, even if carriers use other names:
 * `Additional handling, weight` and `Direct signature required`.
 * @param description from the tariff; undefined for a charge that the tariff lacks
 */
export const chargeTitle = (type: string, description?: string): string => {
  const [, group, sort = ''] = /^(ADDITIONAL_HANDLING|SIGNATURE|DELIVERY_AREA)_([A-Z]+)$/.exec(type) ?? [];
  const words = sort.toLowerCase();
  if (group === 'ADDITIONAL_HANDLING') return `Additional handling, ${words}`;
  if (group === 'SIGNATURE') return `${sort.charAt(0)}${words.slice(1)} signature required`;
  if (description !== undefined) return description;
  return words === '' ? type.charAt(0) + type.slice(1).replaceAll('_', ' ').toLowerCase() : `Delivery area, ${words}`;
};
