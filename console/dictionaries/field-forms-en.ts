import type { FieldTakes } from '../../src/contract/wire-values.ts'
import { formatDate } from '../format/time.ts'
import { plural } from './plural.ts'

/** What a field takes, as an order to the person who fills it in; `values` are the size or the choices. */
export const fieldFormsEn = {
  text: () => 'Enter text.',
  number: () => 'Enter a number.',
  whole_number: () => 'Enter a whole number.',
  boolean: () => 'Enter true or false.',
  list: () => 'Enter a list.',
  object: () => 'Enter an object.',
  null: () => 'Leave this empty.',
  at_least: ([size = '']) => `Enter ${size} or more.`,
  at_most: ([size = '']) => `Enter ${size} or less.`,
  characters_at_least: ([size = '']) =>
    plural(Number(size), { one: 'Required.', other: `Use at least ${size} characters.` }),
  characters_at_most: ([size = '']) => `Use at most ${size} characters.`,
  entries_at_least: ([size = '']) =>
    plural(Number(size), { one: 'Enter at least one.', other: `Enter at least ${size}.` }),
  entries_at_most: ([size = '']) => `Enter at most ${size}.`,
  multiple_of: ([size = '']) => `Enter a multiple of ${size}.`,
  one_of: (values) => `Choose one of: ${values.join(', ')}.`,
  time: () => 'Enter a time such as 2027-01-31T00:00:00Z.',
  email: () => 'Enter a valid email address.',
  url: () => 'Enter a URL that starts with http:// or https://.',
  usd: () => 'Enter an amount in USD, such as 12.50.',
  factor: () => 'Enter a factor, such as 1 or 0.8.',
  plain_name: () => 'Line breaks and control characters aren’t allowed.',
  custom_key: () => 'Use 20 to 128 letters, digits, “-” and “_”.',
  key_tag: () => 'Use tags without commas, quotation marks or backslashes.',
  address_range: () => 'Enter IP addresses or ranges such as 10.0.0.0/8.',
  known_field: () => 'This version of the server doesn’t know this field. Reload the page.',
  usable_group: (values) =>
    values.length === 0
      ? 'You don’t have access to any group. Ask an admin.'
      : `You don’t have access to this group. Choose one of: ${values.join(', ')}.`,
  other_group: () => 'Choose each group once, and not the key’s own group.',
  usable_model: () => 'You don’t have access to this model. See the Models page.',
  time_to_come: () => 'Choose a date in the future.',
  time_until: ([latest, days]) =>
    latest === undefined || days === undefined
      ? 'Choose an earlier date.'
      : `Choose a date before ${formatDate(latest, 'en')}. The longest validity here is ${plural(Number(days), { one: '1 day', other: `${days} days` })}.`,
  each_window_once: () => 'Set each period once.',
} satisfies Record<FieldTakes['form'], (values: readonly string[]) => string>

export type FieldFormTexts = typeof fieldFormsEn
