/** The fields that differ from those before. Only they are sent, so that what another admin changes meanwhile stays. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const earlier = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(field))),
  ) as Partial<Fields>
}
