import type { ColumnType } from 'kysely'
import type { NanoUsd } from '../../core/money.ts'

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

/** Field `createdAt` is in the column `created_at`, money in one with `_nano`, and an object or a list in one with `_json`. */
type ColumnName<Field extends string, Value> = [NonNullable<Value>] extends [NanoUsd]
  ? `${Snake<Field>}_nano`
  : [NonNullable<Value>] extends [object]
    ? `${Snake<Field>}_json`
    : Snake<Field>

type Cell<Value> = [NonNullable<Value>] extends [NanoUsd]
  ? bigint | Extract<Value, null>
  : [NonNullable<Value>] extends [object]
    ? ColumnType<Value, string | Extract<Value, null>, string | Extract<Value, null>>
    : Value

/** The row of an object that has a column for each of its fields. */
export type RowOf<Stored> = {
  -readonly [Field in keyof Stored & string as ColumnName<Field, Stored[Field]>]: Cell<Stored[Field]>
}
