/** The name of one of the known values, or the value itself: a server that is newer than this page knows more of them. */
export function nameOf<Known extends string>(value: string, names: Readonly<Record<Known, string>>): string {
  return isKnown(value, names) ? names[value] : value
}

function isKnown<Known extends string>(value: string, names: Readonly<Record<Known, string>>): value is Known {
  return Object.hasOwn(names, value)
}
