import { useQueryClient } from '@tanstack/react-query'

/** Returns what is to be done once the rules of a model were changed: everything that shows it is read again. */
export function useSavedModel(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['models'] })
}
