/** Why days are not parts of the table, in words for a log and a terminal. */
export const TOO_FAR_AHEAD =
  'usage_records has records of more than ten days ahead, written while a clock was wrong, so it does not become a table of days, and old records are deleted row by row'
