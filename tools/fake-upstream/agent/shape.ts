/** The fields an object may have, down to the depth where a provider looks. */
import { type JsonFields, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'

/** `true`: anything goes below. A function chooses the fields by what the object says of itself, such as its type. */
export type Shape = true | Fields | ((value: JsonFields) => Shape | undefined)

interface Fields {
  readonly [name: string]: Shape
}

/** One field that doesn't belong, or an object of an unknown kind. */
export interface Stranger {
  /** The path of the field: `messages[0].content[1].foo`. */
  readonly path: string
  readonly name: string
  /** The path of the object that it stands in. */
  readonly within: string
  /** The `type` that is not known; absent when it is the field. */
  readonly type?: string
}

/** The first field that the shape doesn't have; null when there is none. Lists are looked into, by their entries. */
export function findStranger(value: unknown, shape: Shape, path = ''): Stranger | null {
  if (shape === true || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return firstStranger(value.map((entry, index) => [entry, shape, `${path}[${index}]`]))
  const object = objectOf(value)
  if (typeof shape === 'function') {
    const chosen = shape(object)
    if (chosen !== undefined) return findStranger(value, chosen, path)
    return { path, name: 'type', within: path, type: stringOf(object['type']) }
  }
  const stranger = Object.keys(object).find((name) => !Object.hasOwn(shape, name))
  const prefix = path === '' ? '' : `${path}.`
  if (stranger !== undefined) return { path: prefix + stranger, name: stranger, within: path }
  return firstStranger(Object.keys(object).map((name) => [object[name], shape[name] ?? true, prefix + name]))
}

function firstStranger(places: readonly (readonly [unknown, Shape, string])[]): Stranger | null {
  for (const [value, shape, path] of places) {
    const found = findStranger(value, shape, path)
    if (found !== null) return found
  }
  return null
}

/** Fields by their names, parted by blanks, with anything below them. */
export function fields(names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, true]))
}
