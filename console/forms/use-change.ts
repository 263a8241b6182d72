import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useToast } from '../ui/toasts.tsx'
import { useRefresh } from './use-refresh.ts'

/** A change of one press, of which toasts say what came of it. They do so too when what was pressed is gone by then. */
export function useChange<Input = void, Answer = unknown>(options: {
  send(input: Input): Promise<Answer>
  /** The toast after it was done; absent where the page shows it by itself. */
  done?(answer: Answer, input: Input): string
  onDone?(answer: Answer): void
  /** What follows in both cases; null: it was done. */
  onSettled?(error: Error | null): void
  /** The queries that are read again after each try. */
  readonly refreshes: readonly string[]
}): UseMutationResult<Answer, Error, Input> {
  const toast = useToast()
  const problemText = useProblemText()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (input: Input) => options.send(input),
    onSuccess: (answer, input) => {
      if (options.done !== undefined) toast({ text: options.done(answer, input) })
      options.onDone?.(answer)
    },
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
    onSettled: (_answer, error) => {
      refresh(options.refreshes)
      options.onSettled?.(error)
    },
  })
}
