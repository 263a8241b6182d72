import type { QueryValue } from '../api/request.ts'

/** What a list is as a file: where the API has it, without `.csv`, and the filters that are set. */
export interface Download {
  readonly path: `/api/${string}`
  readonly query?: Readonly<Record<string, QueryValue>>
}
