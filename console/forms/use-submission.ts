import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { newIdempotencyKey } from '../api/idempotency-key.ts'
import { useFieldProblemText } from '../dictionaries/problem-text.ts'

/** Field names with the sentence that says what is wrong there. */
export type FieldErrors = Readonly<Record<string, string>>

export interface Submission {
  submit(): void
  readonly isSending: boolean
  /** What is wrong with a field; also with a part of it: an error of `quotas.0.usd` belongs to `quotas`. */
  errorOf(field: string): string | undefined
  /** What went wrong and belongs to no field on this form. */
  readonly general: unknown
  /** Grows each time a submission was refused, by the check or by the server. */
  readonly refusals: number
  reset(): void
}

export interface SubmissionOptions<Answer> {
  /** The names of the fields that this form shows. A problem of any other is a general one. */
  readonly fields: readonly string[]
  /** What can be found wrong without the server. Empty: nothing. */
  check?(): FieldErrors
  /** `idempotencyKey` stays the same until an answer came, so that a lost answer does nothing twice. */
  send(idempotencyKey: string): Promise<Answer>
  onDone(answer: Answer): void
}

/** One form's way to the server: checked when sent, sent once at a time, its problems sorted to the fields. */
export function useSubmission<Answer>(options: SubmissionOptions<Answer>): Submission {
  const problemText = useFieldProblemText()
  const [checked, setChecked] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const key = useRef<string>(undefined)
  const mutation = useMutation({
    // An answer may have a secret in it, so nothing of it is kept when the form is gone.
    gcTime: 0,
    mutationFn: () => options.send((key.current ??= newIdempotencyKey())),
    onSuccess: (answer) => {
      key.current = undefined
      options.onDone(answer)
    },
    onError: (error) => {
      if (!(error instanceof ApiProblem) || error.status !== 0) key.current = undefined
      setRefusals((count) => count + 1)
    },
  })
  const problem = mutation.error
  const fieldOfProblem = problem instanceof ApiProblem ? ownerOf(problem.field, options.fields) : undefined
  return {
    submit: () => {
      if (mutation.isPending) return
      const errors = options.check?.() ?? {}
      setChecked(errors)
      mutation.reset()
      if (Object.keys(errors).length > 0) setRefusals((count) => count + 1)
      else mutation.mutate()
    },
    isSending: mutation.isPending,
    errorOf: (field) => checked[field] ?? (fieldOfProblem === field ? problemText(problem) : undefined),
    general: problem !== null && fieldOfProblem === undefined ? problem : null,
    refusals,
    reset: () => {
      setChecked({})
      mutation.reset()
    },
  }
}

/** The field of the form that a problem's path belongs to: itself, or the longest one it is a part of. */
export function ownerOf(path: string | null, fields: readonly string[]): string | undefined {
  if (path === null) return undefined
  const owners = fields.filter((field) => path === field || path.startsWith(`${field}.`))
  return owners.sort((a, b) => b.length - a.length)[0]
}
