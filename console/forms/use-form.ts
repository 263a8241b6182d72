import { useSharedTexts } from '../dictionaries/texts.ts'
import { type FieldErrors, type Submission, useSubmission } from './use-submission.ts'
import { useToast } from '../ui/toasts.tsx'
import { type DraftOptions, useDraft } from './use-draft.ts'
import { useRefresh } from './use-refresh.ts'

/** The names of the values that are typed as text. */
type TextName<Values> = { [Name in keyof Values]: string extends Values[Name] ? Name : never }[keyof Values] & string

export interface FormOptions<Values, Answer, Problem extends string> extends Partial<DraftOptions<Values>> {
  /** What the form begins with. */
  readonly initial: Values | (() => Values)
  /** The fields as the API names them, where these are not the names of the values. */
  readonly fields?: readonly string[] | ((values: Values) => readonly string[])
  /** What is wrong, by fields; `false` and absent: nothing. */
  validate?(values: Values): Readonly<Partial<Record<string, Problem | 'required' | false>>>
  /** The sentences of the problems, in place of `validate` and `messages` where they depend on what was typed. */
  check?(values: Values): FieldErrors
  /** The sentences of the problems beside `required`. */
  readonly messages?: Readonly<Record<NoInfer<Problem>, string>>
  /** `version`: of what another admin saved meanwhile, where the person chose to overwrite that. */
  send(values: Values, request: { readonly key: string; readonly version: string | undefined }): Promise<Answer>
  /** The toast after it was saved. */
  done?(answer: Answer, values: Values): string
  onDone?(answer: Answer, change: (part: Partial<Values>) => void): void
  /** The queries that are read again once it is saved, or another admin's version is to stand. */
  readonly refreshes?: readonly string[]
  /** Closes the form in both cases; absent: it stays open. */
  onClose?(): void
  /** Closes a form that stays open when it is saved, because another admin's version is to stand. */
  onTheirs?(): void
}

export interface FormState<Values> extends Submission {
  readonly values: Values
  change(part: Partial<Values>): void
  /** The properties of the text field of one value. */
  text(name: TextName<Values>, label: string): QuestionProps<string>
  /** The properties of the choice of one value. */
  choice<Name extends keyof Values & string>(name: Name, label: string): QuestionProps<Values[Name]>
}

/** What a field needs of the value that it asks for. */
export interface QuestionProps<Value> {
  readonly name: string
  readonly label: string
  readonly value: Value
  onValue(value: Value): void
  readonly error: string | undefined
}

/** The values of a form, what is checked, sent and read again, and the toast that says so. */
export function useForm<Values extends object, Answer, Problem extends string = never>(
  options: FormOptions<Values, Answer, Problem>,
): FormState<Values> {
  const shared = useSharedTexts()
  const toast = useToast()
  const refresh = useRefresh()
  const [values, setValues, isBack] = useDraft<Values>(options.initial, {
    keptAs: options.keptAs,
    secrets: options.secrets,
  })
  const change = (part: Partial<Values>): void => setValues((now) => ({ ...now, ...part }))
  const { messages, refreshes = [], fields = Object.keys(values) } = options
  const sentencesOf = (problems: ReturnType<NonNullable<typeof options.validate>>): FieldErrors =>
    Object.fromEntries(
      Object.entries(problems).flatMap(([field, problem]) => {
        if (problem === undefined || problem === false) return []
        return [[field, problem === 'required' ? shared.required : (messages?.[problem] ?? shared.required)]]
      }),
    )
  const submission = useSubmission({
    fields: typeof fields === 'function' ? fields(values) : fields,
    check: () => options.check?.(values) ?? sentencesOf(options.validate?.(values) ?? {}),
    send: (key, version) => options.send(values, { key, version }),
    onTheirs: () => {
      refresh(refreshes)
      options.onTheirs?.()
      options.onClose?.()
    },
    onDone: (answer) => {
      if (options.done !== undefined) toast({ text: options.done(answer, values) })
      options.onDone?.(answer, change)
      refresh(refreshes)
      options.onClose?.()
    },
  })
  const choice = <Name extends keyof Values & string>(name: Name, label: string): QuestionProps<Values[Name]> => ({
    name,
    label,
    value: values[name],
    onValue: (value) => change({ [name]: value } as unknown as Partial<Values>),
    error: submission.errorOf(name),
  })
  const text = (name: TextName<Values>, label: string) => choice(name, label) as unknown as QuestionProps<string>
  return { ...submission, isBack, values, change, text, choice }
}
