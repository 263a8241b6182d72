import type { ImportedObject } from '../import-store.ts'
import { type ImportStep, stateOf } from './apply-step.ts'

/** What an import left of the fields of one object. */
export interface FieldMarks {
  /** Marks of the value that the source had at the last import, by field. */
  readonly fields: Readonly<Record<string, string>>
  /** Fields that changed at the source after a person had changed them here: they are this gateway's from then on. */
  readonly own: readonly string[]
}

export interface MergedFields<Fields> {
  /** What is to be written: the fields that changed at the source alone. */
  readonly write: Partial<Fields>
  /** The fields that changed at the source and stay as a person has set them here. */
  readonly kept: readonly string[]
  readonly marks: FieldMarks
}

type Marking = Pick<ImportStep, 'hashState'>

export function marksOf(step: Marking, fields: Readonly<Record<string, unknown>>): FieldMarks {
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, stateOf(step, value)])),
    own: [],
  }
}

/** Reads what was noted of an object. */
export function marksIn({ state }: Pick<ImportedObject, 'state'>): FieldMarks {
  const { fields, own } = state
  return {
    fields: typeof fields === 'object' && fields !== null ? (fields as FieldMarks['fields']) : {},
    own: Array.isArray(own) ? own.map(String) : [],
  }
}

export function isAsMarked(step: Marking, wanted: Readonly<Record<string, unknown>>, { fields }: FieldMarks): boolean {
  return Object.entries(wanted).every(([name, value]) => fields[name] === stateOf(step, value))
}

/**
 * A field is written where its value at the source is another than at the last import, and its value here is still what that
 * import wrote. `wanted`, `here`: in one form. A field without a mark is taken as it is here.
 */
export function mergeFields<Fields extends Readonly<Record<string, unknown>>>(
  step: Marking,
  { wanted, here, marks }: { wanted: Fields; here: Readonly<Record<string, unknown>>; marks: FieldMarks },
): MergedFields<Fields> {
  const write: Record<string, unknown> = {}
  const kept: string[] = []
  const own = new Set(marks.own)
  for (const [name, value] of Object.entries(wanted)) {
    const before = marks.fields[name]
    const now = stateOf(step, value)
    if (before === undefined || before === now) continue
    const standing = stateOf(step, here[name])
    if (standing !== before) own.add(name)
    if (!own.has(name)) write[name] = value
    else if (standing !== now) kept.push(name)
  }
  const fields = { ...marks.fields, ...marksOf(step, wanted).fields }
  return { write: write as Partial<Fields>, kept, marks: { fields, own: [...own] } }
}

/** Adds a mark for each of these fields that has none, as though they had had this value. */
export function withMarksFor(
  step: Marking,
  marks: FieldMarks,
  { fields, value }: { readonly fields: readonly string[]; readonly value: unknown },
): FieldMarks {
  const initial = stateOf(step, value)
  return { ...marks, fields: { ...Object.fromEntries(fields.map((name) => [name, initial])), ...marks.fields } }
}

/** What stands behind `prefix` in the names of marked fields. */
export function markedBehind({ fields }: FieldMarks, prefix: string): readonly string[] {
  return Object.keys(fields).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
}

/** What is said of fields that stay; `words`: by what stands before the colon of a field’s name. */
export function keptNote(kept: readonly string[], words: Readonly<Record<string, string>>): string | null {
  if (kept.length === 0) return null
  const named = new Set(kept.map((name) => words[name.replace(/:.*/s, '')] ?? name))
  return `changed there since the last import, and here before that: what was set here stays (${[...named].join(', ')})`
}
