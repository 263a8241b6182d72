import { z } from '@hono/zod-openapi'
import { type FieldType, orNull, tidied } from './field-types.ts'

/** A field of an administered object, by its name in the API and in the declarative file: all that is known of it. */
export interface ObjectField<Wire = unknown, Held = unknown> {
  /**
   * The property of the gateway's object that holds it: `timeoutMs`, or `passage.keepsPrefixes` for one of a part that is left
   * out of the object when nothing in it is set.
   */
  readonly at: string
  readonly type: FieldType<Wire, Held>
  /** The value of what is left out when the object is made; absent: it has to be written. */
  readonly default?: Wire
  /** What is not set (null, false or empty) is left out of the gateway's object. */
  readonly isSparse?: true
  /** The declarative file has to say it, though there is a default. */
  readonly isRequiredInFile?: true
  /** An export leaves out the default, since earlier versions do not know the field. */
  readonly isNewInFile?: true
  /** No answer has it, and it is stored encrypted: the values of objects are sealed. */
  readonly isSecret?: true
  /** The schema of answers, where it is not the one of the type. */
  readonly shown?: z.ZodType<Wire>
  /** What the documentation says of it where an object is made. */
  readonly madeText?: string
}

export type ObjectFields = Readonly<Record<string, ObjectField>>

type FieldRules<Wire> = Omit<ObjectField<Wire>, 'at' | 'type'>

/** Declares a field, whose name is its key in the table of its object. */
export function field<const At extends string, Wire, Held, Rules extends FieldRules<Wire> = object>(
  at: At,
  type: FieldType<Wire, Held>,
  rules?: Rules,
) {
  return { at, type, ...rules } as { readonly at: At; readonly type: FieldType<Wire, Held> } & Rules
}

/** Declares a field that need not be set: null, where nothing else is said. */
export function optional<const At extends string, Wire, Held, Rules extends FieldRules<Wire | null> = object>(
  at: At,
  type: FieldType<Wire, Held>,
  rules?: Rules,
) {
  return field(at, orNull(type), { default: null, ...rules } as { readonly default: null } & Rules)
}

type WireOf<Field> = Field extends { readonly type: FieldType<infer Wire, infer _Held> } ? Wire : never
type HeldOf<Field> = Field extends { readonly type: FieldType<infer _Wire, infer Held> } ? Held : never
type AtOf<Field> = Field extends { readonly at: infer At extends string } ? At : never

/** The values of an object's fields, by their names, as the gateway holds them. */
export type HeldValues<Fields> = { readonly [Name in keyof Fields]: HeldOf<Fields[Name]> }

/** The values of an object’s fields as requests write them. */
export type WireValues<Fields> = { [Name in keyof Fields]: WireOf<Fields[Name]> }

/** The values of an object’s fields as answers write them: without secrets. */
export type ShownValues<Fields> = { [Name in ShownName<Fields>]: z.output<ShownSchema<Fields[Name]>> }

type ShownName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly isSecret: true } ? never : Name
}[keyof Fields]

type ShownSchema<Field> = Field extends { readonly shown: infer Schema extends z.ZodType }
  ? Schema
  : z.ZodType<WireOf<Field>>

/** An object of the gateway, as far as its fields make it. */
export type ObjectOf<Fields> = {
  readonly [Name in keyof Fields as Whole<Fields[Name]>]: HeldOf<Fields[Name]>
} & {
  readonly [Name in keyof Fields as Sparse<Fields[Name]>]?: SetValue<HeldOf<Fields[Name]>>
} & {
  readonly [Part in PartOf<AtOf<Fields[keyof Fields]>>]?: {
    readonly [Name in keyof Fields as Inner<Fields[Name], Part>]?: SetValue<HeldOf<Fields[Name]>>
  }
}

type PartOf<At> = At extends `${infer Part}.${string}` ? Part : never
type Inner<Field, Part extends string> = AtOf<Field> extends `${Part}.${infer Own}` ? Own : never
type Whole<Field> = Field extends { readonly isSparse: true } ? never : Exclude<AtOf<Field>, `${string}.${string}`>
type Sparse<Field> = Field extends { readonly isSparse: true } ? Exclude<AtOf<Field>, `${string}.${string}`> : never
type SetValue<Held> = Exclude<Held, null | false>

/** The schemas of an object in answers. */
export function shownShape<Fields extends ObjectFields>(fields: Fields) {
  return mapped(shownFields(fields), ({ type, shown }) => shown ?? type.shown) as {
    [Name in ShownName<Fields>]: ShownSchema<Fields[Name]>
  }
}

/** The schemas of a request that makes an object. */
export function createShape<Fields extends ObjectFields>(fields: Fields) {
  return mapped(fields, (each) => {
    const schema = 'default' in each ? each.type.sent.default(each.default) : each.type.sent
    return each.madeText === undefined ? schema : schema.describe(each.madeText)
  }) as {
    [Name in keyof Fields]: Fields[Name] extends { readonly default: unknown }
      ? z.ZodDefault<z.ZodType<WireOf<Fields[Name]>>>
      : z.ZodType<WireOf<Fields[Name]>>
  }
}

/** The schemas of a request that changes an object: what is left out stays. */
export function patchShape<Fields extends ObjectFields>(fields: Fields) {
  return mapped(fields, ({ type }) => type.sent.optional()) as {
    [Name in keyof Fields]: z.ZodOptional<z.ZodType<WireOf<Fields[Name]>>>
  }
}

/** A shape, or what is written of an object, with more in it, behind the field of this name. */
export function insertedAfter<Shape extends object, More extends object>(
  shape: Shape,
  name: keyof Shape,
  more: More,
): Shape & More {
  const entries = Object.entries(shape).flatMap((entry) =>
    entry[0] === name ? [entry, ...Object.entries(more)] : [entry],
  )
  return Object.fromEntries(entries) as Shape & More
}

/** Reads the fields of a request that makes an object. */
export function readNew<Fields extends ObjectFields>(fields: Fields, sent: WireValues<Fields>): HeldValues<Fields> {
  return mapped(fields, ({ type }, name) => type.read(sent[name])) as HeldValues<Fields>
}

/** Reads the fields of a request that changes an object: of what is left out, the object has the value. */
export function readChanged<Fields extends ObjectFields>(
  fields: Fields,
  sent: { readonly [Name in keyof Fields]?: WireOf<Fields[Name]> | undefined },
  before: ObjectOf<Fields>,
): HeldValues<Fields> {
  const held = heldOf(fields, before)
  return mapped(fields, ({ type }, name) =>
    sent[name] === undefined ? held[name] : type.read(sent[name]),
  ) as HeldValues<Fields>
}

/** The gateway's object with these values. */
export function objectOf<Fields extends ObjectFields>(fields: Fields, held: HeldValues<Fields>): ObjectOf<Fields> {
  const object: Record<string, unknown> = {}
  for (const [name, { at, type, isSparse }] of Object.entries(fields)) {
    const value = tidied(type, held[name])
    const [first = '', inner] = at.split('.')
    if (inner === undefined) {
      if (isSparse !== true || isSet(value)) object[first] = value
    } else if (isSet(value)) object[first] = { ...partOf(object, first), [inner]: value }
  }
  return object as ObjectOf<Fields>
}

/** The values of the fields of an object. */
function heldOf<Fields extends ObjectFields>(fields: Fields, object: ObjectOf<Fields>): HeldValues<Fields> {
  return mapped(fields, (each) => {
    const [first = '', inner] = each.at.split('.')
    const value = inner === undefined ? partOf({ object }, 'object')[first] : partOf(object, first)[inner]
    return value === undefined && 'default' in each ? each.type.read(each.default) : value
  }) as HeldValues<Fields>
}

/** What is set on an object, as answers write it. `secrets`: those that are written, in clear or sealed. */
export function writtenOf<Fields extends ObjectFields>(
  fields: Fields,
  object: ObjectOf<Fields>,
  secrets: Readonly<Record<string, unknown>> = {},
): ShownValues<Fields> {
  const held = heldOf(fields, object)
  const written = Object.entries(fields).flatMap(([name, { type, isSecret }]) => {
    if (name in secrets) return [[name, secrets[name]]]
    return isSecret === true ? [] : [[name, type.write(held[name])]]
  })
  return Object.fromEntries(written) as ShownValues<Fields>
}

/** What is written of an object, as the declarative file has it: without what is not set. */
export function fileEntryOf(fields: ObjectFields, written: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(written).filter(([name, value]) => {
    const { isNewInFile, default: standard } = fields[name] ?? {}
    if (isNewInFile !== true) return true
    return isSet(standard) ? value !== standard : isSet(value)
  })
  return withoutNulls(Object.fromEntries(kept))
}

/** The object without what is null. */
export function withoutNulls(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined))
}

function shownFields(fields: ObjectFields): ObjectFields {
  return Object.fromEntries(Object.entries(fields).filter(([, { isSecret }]) => isSecret !== true))
}

function mapped(
  fields: ObjectFields,
  make: (field: ObjectField, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, make(each, name)]))
}

function partOf(object: object, name: string): Readonly<Record<string, unknown>> {
  return ((object as Readonly<Record<string, unknown>>)[name] ?? {}) as Readonly<Record<string, unknown>>
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
