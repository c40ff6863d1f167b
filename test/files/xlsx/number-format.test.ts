import { describe, expect, test } from 'vitest';
import { exactNumber, formatOfCell, shownNumber, shownPercent } from '../../../src/files/xlsx/number-format.ts';
import { processorMs } from '../../processor-time.ts';

/** Formats a number with a format of the workbook or a built-in format. */
const shown = (raw: string, code: string | number, since1904 = false): string =>
  shownNumber(raw, typeof code === 'number' ? formatOfCell(code, undefined) : formatOfCell(164, code), since1904);

describe('a number as its cell shows it', () => {
  test.each<[string, string, string]>([
    ['2139', '00000', '02139'],
    ['2139', '[$-409]00000', '02139'],
    ['2139', '[Red]00000', '02139'],
    ['2139', '00000_)', '02139'],
    ['2139', '00000;-00000', '02139'],
    ['2139', '00000;[Red]\\-00000;0;@', '02139'],
    ['2139', '#00000', '02139'],
    ['21391234', '00000\\-0000', '02139-1234'],
    ['21391234', '00000"-"0000', '02139-1234'],
    ['21391234', '00000-0000', '02139-1234'],
    ['2139', '[<=99999]00000;00000\\-0000', '02139'],
    ['21391234', '[<=99999]00000;00000\\-0000', '02139-1234'],
    ['21391234', '[>99999]00000\\-0000;00000', '02139-1234'],
    ['2139', '[>99999]00000\\-0000;00000', '02139'],
  ])('%s under %s is the ZIP code %s', (raw, code, text) => {
    expect(shown(raw, code)).toBe(text);
  });

  test.each<[string, string, string]>([
    ['2.1000000000000001', 'General', '2.1'],
    ['2.0000000000000004', 'General', '2'],
    ['9.9999999999999995E-8', 'General', '0.0000001'],
    ['-2.5E-8', '0.0E+00', '-0.000000025'],
    ['1.5E+21', 'General', '1500000000000000000000'],
    ['2.5', '# ?/?', '2.5'],
    ['2.5', '0.00E+00', '2.5'],
    ['2.5', '', '2.5'],
    ['5', '0', '5'],
    ['1234', '#,##0', '1234'],
    ['7', '00/00', '7'],
    ['1E+20', '00000', '100000000000000000000'],
    ['5', '@', '5'],
    ['12', '00E+00', '12'],
    ['12', '00000_', '00012'],
    ['12', '[', '12'],
    ['12', '"', '12'],
    ['12', '\\', '12'],
    ['x', '00000', 'x'],
  ])('%s under %s stays %s', (raw, code, text) => {
    expect(shown(raw, code)).toBe(text);
  });

  test.each<[string, string | number, string]>([
    ['35', '0" oz"', '35 oz'],
    ['35', '0\\ \\o\\z', '35 oz'],
    ['2.5', '0.0 "kg"', '2.5 kg'],
    ['2.5', 'General" lb"', '2.5 lb'],
    ['2.5', '[Blue]0.0_)"kg"', '2.5 kg'],
    ['12', '0\\"', '12"'],
    ['2.0004', '0.0', '2.0'],
    ['2.5', '0.00', '2.50'],
    ['2.675', '0.00', '2.68'],
    ['0.5', '0', '1'],
    ['0.49999999999999994', '0', '1'],
    ['0.4999', '0', '0'],
    ['1234.5', '#,##0.00', '1234.50'],
    ['1234.5', 4, '1234.50'],
    ['2.5', 1, '3'],
    ['2500', '0.0,"kg"', '2.5kg'],
    ['2.5', '0.##', '2.5'],
    ['2', '0.##', '2'],
    ['0.5', '#.00', '.50'],
    ['12.5', '.00', '12.50'],
    ['1250', '"$"#,##0.00', '1250.00'],
    ['1250', '[$$-409]#,##0.00', '1250.00'],
    ['1250', '[$€-407] #,##0.00', '€ 1250.00'],
    ['1250', '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '1250.00'],
    ['-1250', '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '(1250.00)'],
    ['0', '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '0'],
    ['0', 44, '0'],
    ['-2.5', '0.0', '-2.5'],
    ['-0.01', '0.0', '0.0'],
    ['-2.5', '0.0;0.0', '2.5'],
    ['-2.5', '[>=16]0.0" lb";0.0" oz"', '-2.5 oz'],
    ['20', '[>=16]0.0" lb";0.0" oz"', '20.0 lb'],
    ['5', '[=1]0" pound";0" pounds"', '5 pounds'],
    ['0', '0;-0;;@', ''],
    ['0', '0;-0;"none"', 'none'],
    ['5', ';;;', ''],
    ['0.5', '0%', '50%'],
    ['0.185', '0.0"%"', '0.2%'],
    ['7', '"ZIP "00000', 'ZIP 00007'],
    ['-7', '00000', '-00007'],
    ['2.5', '00000', '00003'],
    ['6175551234', '(000) 000-0000', '(617) 555-1234'],
    ['1e300', '0', `1${'0'.repeat(300)}`],
  ])('%s under %s shows %s', (raw, code, text) => {
    expect(shown(raw, code)).toBe(text);
  });

  test.each([
    ['2.0004', '0.0" kg"', '2.0004'],
    ['2139', '00000', '2139'],
    ['46085', 'm/d/yy', '2026-03-04'],
  ])('%s under %s is exactly %s', (raw, code, text) => {
    expect(exactNumber(raw, formatOfCell(164, code), false)).toBe(text);
  });

  test.each<[string, string | number, string]>([
    ['46085', 'm/d/yy', '2026-03-04'],
    ['46085', 14, '2026-03-04'],
    ['46085.75', 22, '2026-03-04 18:00:00'],
    ['46085.75', 'yyyy-mm-dd hh:mm', '2026-03-04 18:00:00'],
    ['46085.75', 'yyyy-mm-dd', '2026-03-04'],
    ['46085.75', 14, '2026-03-04'],
    ['46085', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '2026-03-04'],
    ['46085', 'mmm', '2026-03-04'],
    ['1', 14, '1900-01-01'],
    ['59', 14, '1900-02-28'],
    ['60', 14, '1900-02-29'],
    ['61', 14, '1900-03-01'],
    ['-1', 14, '-1'],
    ['9999999', 14, '9999999'],
  ])('%s under %s is the date %s', (raw, code, text) => {
    expect(shown(raw, code)).toBe(text);
  });

  test('the 1904 date system begins on 1 January 1904', () => {
    expect(shown('0', 14, true)).toBe('1904-01-01');
    expect(shown('44623', 'yyyy-mm-dd', true)).toBe('2026-03-04');
  });

  test.each<[string, string | number, string]>([
    ['0.5', 'h:mm', '12:00:00'],
    ['0', 'h:mm', '00:00:00'],
    ['0.75', 20, '18:00:00'],
    ['0.5', 'h:mm AM/PM', '12:00:00'],
    ['46085.75', 'hh:mm', '18:00:00'],
    ['1.5', '[h]:mm', '36:00:00'],
    ['1.5', 46, '36:00:00'],
    ['0.001', 'mm:ss', '00:01:26'],
    ['0.5', 'm/d/yy h:mm', '12:00:00'],
  ])('%s under %s is the time %s, not a day in 1899', (raw, code, text) => {
    expect(shown(raw, code)).toBe(text);
  });

  test.each<[string, string | number, string | undefined]>([
    ['0.185', '0.0%', '18.5%'],
    ['0.18499999999999999', '0%', '18.5%'],
    ['0.07', 9, '7%'],
    ['7.0000000000000007E-2', 10, '7%'],
    ['0', '0.00%;-0.00%', '0%'],
    ['0.185', 'General', undefined],
    ['0.185', '0.0"%"', undefined],
    ['0.185', '0.0\\%', undefined],
  ])('%s under %s is the percentage %s', (raw, code, text) => {
    expect(shownPercent(raw, typeof code === 'number' ? formatOfCell(code, undefined) : formatOfCell(164, code))).toBe(
      text,
    );
  });

  test('a format of more than 255 characters is rejected at once', () => {
    expect(shown('7', '0'.repeat(255))).toHaveLength(255);
    for (const character of ['0', '[', '"', '\\', 'y']) {
      const cost = processorMs();
      expect(() => formatOfCell(164, character.repeat(400_000))).toThrow(
        'has a number format of more than 255 characters',
      );
      expect(processorMs() - cost).toBeLessThan(1_000);
    }
  });
});
