import { useQueryClient } from '@tanstack/react-query'

/** Returns what reads queries again, by the first parts of their keys: after a change, all that shows it. */
export function useRefresh(): (names: readonly string[]) => void {
  const queries = useQueryClient()
  return (names) => {
    for (const name of names) void queries.invalidateQueries({ queryKey: [name] })
  }
}
