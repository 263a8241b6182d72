import { useMutation } from '@tanstack/react-query'
import { useFailureToast } from '../ui/toasts.tsx'

/** `isCut`: there are more. */
export interface EveryRow<Row> {
  readonly rows: readonly Row[]
  readonly isCut: boolean
}

/** The rows of all pages, once they were asked for, until something else is `asked` of the list. */
export function useEveryRow<Row>(everyRow: (() => Promise<EveryRow<Row>>) | undefined, asked: string) {
  const reading = useMutation({
    mutationFn: async (of: string) => ({ of, ...((await everyRow?.()) ?? { rows: [], isCut: false }) }),
    onError: useFailureToast(),
  })
  const found = reading.data?.of === asked ? reading.data : null
  return {
    found,
    isReading: reading.isPending,
    /** null: there is no way to. */
    read: everyRow === undefined ? null : () => reading.mutate(asked),
    forget: () => reading.reset(),
  }
}
