/**
 * What a field of a request takes, as a word for each: the API says it in an English sentence, and the console in the
 * reader's language by this word and its values. A word is public and never changes its meaning.
 */
export const FIELD_FORMS = [
  // Of a type or a size; the value is the size.
  'text',
  'number',
  'whole_number',
  'boolean',
  'list',
  'object',
  'null',
  'at_least',
  'at_most',
  'characters_at_least',
  'characters_at_most',
  'entries_at_least',
  'entries_at_most',
  'multiple_of',
  // One of the values, which are the sender's to choose from.
  'one_of',
  // Written in a certain way.
  'time',
  'email',
  'url',
  'usd',
  'factor',
  'plain_name',
  'custom_key',
  'key_tag',
  'address_range',
  // Something that is there, or fits what is set beside it.
  'known_field',
  'usable_group',
  'other_group',
  'usable_model',
  'time_to_come',
  'time_until',
  'each_window_once',
] as const

export type FieldForm = (typeof FIELD_FORMS)[number]
