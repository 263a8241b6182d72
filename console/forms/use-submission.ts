import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { createIdempotencyKey } from '../api/idempotency-key.ts'
import { useFieldProblemText } from '../dictionaries/problem-text.ts'
import { collisionIn } from './collision.tsx'

/** Field names with the sentence that says what is wrong there. */
export type FieldErrors = Readonly<Record<string, string>>

export interface Submission {
  submit(): void
  readonly isSending: boolean
  /** What is wrong with a field; also with a part of it: an error of `quotas.0.usd` belongs to `quotas`. */
  errorOf(field: string): string | undefined
  /** The name and the error that a field of the form takes. */
  field(name: string): { readonly name: string; readonly error: string | undefined }
  /** What went wrong and belongs to no field on this form. */
  readonly general: unknown
  /** What is changed was changed since it was read: sends it again all the same, or leaves it as it stands now. */
  readonly collision: { readonly problem: ApiProblem; keepMine(): void; takeTheirs(): void } | null
  /** Grows each time a submission was refused, by the check or by the server. */
  readonly refusals: number
  /** Whether the form began with what its writer had typed before the session ended. */
  readonly isBack?: boolean
  reset(): void
}

export interface SubmissionOptions<Answer> {
  /** The names of the fields that this form shows. A problem of any other is a general one. */
  readonly fields: readonly string[]
  /** What can be found wrong without the server. Empty: nothing. */
  check?(): FieldErrors
  /** `version`: which the person chose to overwrite, in place of the one that the form was opened with. `idempotencyKey` stays the same until the gateway did it or refused it, so that a lost answer does nothing twice; `sinceMs` is the moment of its first try, for what a body counts from now. */
  send(idempotencyKey: string, version: string | undefined, sinceMs: number): Promise<Answer>
  onDone(answer: Answer): void
  /** An edit that names the version it was made of: what is done where the other one is to stand. */
  onTheirs?(): void
}

/** One form's way to the server: checked when sent, sent once at a time, its problems sorted to the fields. */
export function useSubmission<Answer>(options: SubmissionOptions<Answer>): Submission {
  const problemText = useFieldProblemText()
  const [checked, setChecked] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)
  const [key] = useState(() => createIdempotencyKey())
  const mutation = useMutation({
    // An answer may have a secret in it, so nothing of it is kept when the form is gone.
    gcTime: 0,
    mutationFn: (version: string | undefined) => options.send(key.current(), version, key.sinceMs()),
    onSuccess: (answer) => {
      key.done()
      options.onDone(answer)
    },
    onError: (error) => {
      key.failed(error)
      setRefusals((count) => count + 1)
    },
  })
  const problem = mutation.error
  const fieldOfProblem = problem instanceof ApiProblem ? ownerOf(problem.field, options.fields) : undefined
  const refused = collisionIn(problem)
  const { onTheirs } = options
  const collided =
    refused === null || onTheirs === undefined
      ? null
      : {
          problem: refused,
          keepMine: () => mutation.mutate(refused.version ?? undefined),
          takeTheirs: onTheirs,
        }
  const errorOf = (field: string): string | undefined =>
    checked[field] ?? (fieldOfProblem === field ? problemText(problem) : undefined)
  return {
    submit: () => {
      if (mutation.isPending) return
      const errors = options.check?.() ?? {}
      setChecked(errors)
      mutation.reset()
      if (Object.keys(errors).length > 0) setRefusals((count) => count + 1)
      else mutation.mutate(undefined)
    },
    isSending: mutation.isPending,
    errorOf,
    field: (name) => ({ name, error: errorOf(name) }),
    general: problem !== null && fieldOfProblem === undefined && collided === null ? problem : null,
    collision: collided,
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
