import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { groupsQuery } from '../../api/groups.ts'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import {
  deleteLeftKeys,
  isFresh,
  makePlaygroundKey,
  type PlaygroundKey,
  type PlaygroundReach,
} from '../../api/playground-key.ts'
import { playgroundDictionary } from '../../dictionaries/playground.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { Field } from '../../forms/field.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { TextArea } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { CHAT_WIRES, wireTitle } from '../wire-names.ts'
import { AnswerPane } from './answer-pane.tsx'
import { codeSample, SAMPLES } from './code-samples.ts'
import { MoreSettings } from './more-settings.tsx'
import { callOf, type ChatWire, type Question } from './question.ts'
import { useAnswer } from './use-answer.ts'

/** As many as a key may fall back to. */
const MOST_GROUPS = 10
const OUTPUT_TOKENS = 1_024

/** One question to one model or two, on the way that every client takes. */
export function PlaygroundPage(): ReactNode {
  const t = playgroundDictionary.useTexts()
  const shared = useSharedTexts()
  const search: { readonly model?: string; readonly key?: string } = useSearch({ strict: false })
  const models = (useQuery(modelsQuery).data ?? []).filter(({ protocols }) =>
    CHAT_WIRES.some((wire) => protocols.includes(wire)),
  )
  const [chosen, setChosen] = useState<string | null>(search.model ?? null)
  const [second, setSecond] = useState<string | null>(null)
  const [question, setQuestion] = useState<Question>({ ...UNASKED, text: t.textAtFirst })
  // A link may name a model that is gone.
  const model = models.find(({ name }) => name === chosen)?.name ?? models[0]?.name ?? null
  const { reach, keyName } = useReach(search.key)
  const secretOf = usePlaygroundKey(reach)
  const [left, right] = [useAnswer(), useAnswer()]
  const queries = useQueryClient()
  const change = (more: Partial<Question>): void => setQuestion((before) => ({ ...before, ...more }))
  const toolsError = isJson(question.tools) ? undefined : t.toolsWrong
  const asked = useMutation({
    mutationFn: async (names: readonly string[]) => {
      const secret = await secretOf()
      const [one, other] = names.map((name) => callOf(question, name))
      await Promise.all([one && left.send(one, secret), other && right.send(other, secret)])
      void queries.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const names = [model, second].filter((name) => name !== null)
  const options = models.map(({ name }) => ({ value: name, label: name }))
  return (
    <>
      <PageHeader title={shared.pages.playground} lead={t.lead} />
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <form
          aria-label={t.question}
          className="card grid grid-cols-1 gap-4 p-4 sm:p-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (toolsError === undefined && reach !== null && names.length > 0) asked.mutate(names)
          }}
        >
          <div className="grid gap-4 sm:grid-cols-3">
            <Field name="model" label={t.model}>
              {(control) => <Combobox {...control} value={model} onValue={setChosen} options={options} />}
            </Field>
            <Field name="second" label={t.second} isOptional>
              {(control) => (
                <Combobox {...control} value={second} onValue={setSecond} options={options} placeholder={t.noSecond} />
              )}
            </Field>
            <Field name="protocol" label={t.protocol}>
              {(control) => (
                <Select<string>
                  {...control}
                  value={question.protocol}
                  onValue={(protocol: string) => change({ protocol: protocol as ChatWire })}
                  options={CHAT_WIRES.map((wire) => ({ value: wire, label: wireTitle(wire) }))}
                />
              )}
            </Field>
          </div>
          <Field name="text" label={t.text}>
            {(control) => (
              <TextArea
                {...control}
                rows={4}
                value={question.text}
                onChange={(event) => change({ text: event.currentTarget.value })}
              />
            )}
          </Field>
          <MoreSettings question={question} toolsError={toolsError} onChange={change} />
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" look="primary" icon="play" isBusy={asked.isPending}>
              {t.send}
            </Button>
            {asked.isPending && (
              <Button
                icon="close"
                onClick={() => {
                  left.stop()
                  right.stop()
                }}
              >
                {t.stop}
              </Button>
            )}
            <span className="ml-auto text-sm text-ink-3">{t.copyAs}</span>
            {toolsError === undefined &&
              model !== null &&
              SAMPLES.map((kind) => (
                <CopyButton
                  key={kind}
                  look="quiet"
                  label={kind}
                  what={t.copyCode(kind)}
                  text={() => codeSample(kind, callOf(question, model), location.origin)}
                />
              ))}
          </div>
          <p className="text-sm text-ink-3">
            {t.keyNote} {keyName !== null && t.asKey(keyName)}
          </p>
          {reach === 'none' && <Notice tone="warn">{t.noGroup}</Notice>}
        </form>
        {asked.error !== null && <ErrorState error={asked.error} />}
        <div className="grid gap-5 lg:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]">
          {left.answer !== null && <AnswerPane model={asked.variables?.[0] ?? ''} answer={left.answer} />}
          {right.answer !== null && asked.variables?.[1] !== undefined && (
            <AnswerPane model={asked.variables[1]} answer={right.answer} />
          )}
        </div>
      </div>
    </>
  )
}

const UNASKED: Question = {
  protocol: 'openai-chat',
  system: '',
  text: '',
  image: null,
  tools: '',
  temperature: null,
  maxTokens: OUTPUT_TOKENS,
  isStream: true,
}

/** What the key may call: as the key of the address, or in every group of the account. null: not known yet. */
function useReach(keyId: string | undefined): {
  readonly reach: PlaygroundReach | 'none' | null
  readonly keyName: string | null
} {
  const groups = useQuery(groupsQuery).data?.data
  const keys = useQuery({ ...keysQuery({ search: keyId ?? '', limit: 1 }), enabled: keyId !== undefined }).data?.data
  const key = keyId === undefined ? undefined : keys?.find(({ id }) => id === keyId)
  if (key !== undefined) {
    const { group, fallback_groups: fallback, allowed_models: allowed } = key
    return { reach: { group, fallback_groups: fallback, allowed_models: allowed }, keyName: key.name }
  }
  if (groups === undefined || (keyId !== undefined && keys === undefined)) return { reach: null, keyName: null }
  const [first, ...others] = groups.filter(({ enabled }) => enabled).map(({ name }) => name)
  if (first === undefined) return { reach: 'none', keyName: null }
  return { reach: { group: first, fallback_groups: others.slice(0, MOST_GROUPS), allowed_models: [] }, keyName: null }
}

/** The secret of this visit's key, which is made with the first question and deleted when the page is left. */
function usePlaygroundKey(reach: PlaygroundReach | 'none' | null): () => Promise<string> {
  const held = useRef<PlaygroundKey | null>(null)
  useEffect(
    () => () => {
      if (held.current === null) return
      held.current = null
      // It ends by itself within the hour where this does not arrive.
      void deleteLeftKeys(Date.now()).catch(() => undefined)
    },
    [],
  )
  return async () => {
    if (reach === null || reach === 'none') throw new Error('no group')
    const nowMs = Date.now()
    if (!isFresh(held.current, nowMs)) held.current = await makePlaygroundKey(reach, nowMs)
    return held.current?.secret ?? ''
  }
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
