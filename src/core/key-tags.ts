/**
 * What a tag of a key is made of, trimmed and in lower case: text on one line, without the commas between tags, and without
 * what JSON escapes, so that a tag is found in a stored list by its own text.
 */
export const KEY_TAG = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp},，"\\]+$/u
