import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { instanceQuery } from '../../api/instance.ts'
import { modelsQuery } from '../../api/models.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { TextAreaField } from '../../forms/text-field.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState, NotRead } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { CHAT_WIRES, wireTitle } from '../../format/wire-names.ts'
import { AnswerPane } from './answer-pane.tsx'
import { codeSample, SAMPLES } from './code-samples.ts'
import { MoreSettings } from './more-settings.tsx'
import { callOf, type ChatWire, type Question } from './question.ts'
import { useAnswer } from './use-answer.ts'
import { usePlaygroundKey } from './use-playground-key.ts'
import { siteAddress } from '../../site.ts'

const OUTPUT_TOKENS = 1_024
/** What the gateway answers to a key that is not there any more. */
const UNAUTHORISED = 401

/** One question to one model or two, on the way that every client takes. */
export default function PlaygroundPage(): ReactNode {
  const t = useTexts('playground')
  const shared = useSharedTexts()
  const search: { readonly model?: string; readonly key?: string; readonly protocol?: string } = useSearch({
    strict: false,
  })
  const offered = useQuery(modelsQuery)
  const models = (offered.data ?? []).filter(({ protocols }) => CHAT_WIRES.some((wire) => protocols.includes(wire)))
  const [chosen, setChosen] = useState<string | null>(search.model ?? null)
  const [second, setSecond] = useState<string | null>(null)
  const [question, setQuestion] = useState<Question>({
    ...UNASKED,
    text: t.textAtFirst,
    protocol: wireNamed(search.protocol),
  })
  const { reach, keyName, ask } = usePlaygroundKey(search.key)
  const allowed = reach === null || reach === 'none' ? [] : (reach.allowed_models ?? [])
  // A link may name a model that is gone.
  const model = (models.find(({ name }) => name === chosen) ?? likely(models, allowed))?.name ?? null
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const [left, right] = [useAnswer(), useAnswer()]
  const queries = useQueryClient()
  const change = (more: Partial<Question>): void => setQuestion((before) => ({ ...before, ...more }))
  const toolsError = isJson(question.tools) ? undefined : t.toolsWrong
  const asked = useMutation({
    mutationFn: async (names: readonly string[]) => {
      const [one, other] = names.map((name) => callOf(question, name))
      await ask(async (secret) => {
        const statuses = await Promise.all([one && left.send(one, secret), other && right.send(other, secret)])
        return !statuses.includes(UNAUTHORISED)
      })
      void queries.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const textError = question.text.trim() === '' ? shared.required : undefined
  const names = [model, second].filter((name) => name !== null)
  const hasReach = reach !== null && reach !== 'none'
  const canSend = hasReach && names.length > 0 && toolsError === undefined && textError === undefined
  const options = models.map(({ name }) => ({ value: name, label: name }))
  return (
    <>
      <PageHeader title={shared.pages.playground} lead={t.lead} />
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <NotRead query={offered} />
        <form
          aria-label={t.question}
          className="card grid grid-cols-1 gap-4 p-4 sm:p-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (canSend) asked.mutate(names)
          }}
        >
          <div className="grid gap-4 sm:grid-cols-3">
            <SelectField<string>
              name="model"
              label={t.model}
              value={model ?? ''}
              onValue={setChosen}
              options={options}
            />
            <SelectField<string>
              name="second"
              label={t.second}
              isOptional
              value={second ?? ''}
              onValue={(name: string) => setSecond(name === '' ? null : name)}
              options={[{ value: '', label: t.noSecond }, ...options]}
            />
            <SelectField<string>
              name="protocol"
              label={t.protocol}
              value={question.protocol}
              onValue={(protocol: string) => change({ protocol: protocol as ChatWire })}
              options={CHAT_WIRES.map((wire) => ({ value: wire, label: wireTitle(wire) }))}
            />
          </div>
          <TextAreaField
            name="text"
            label={t.text}
            error={textError}
            rows={4}
            value={question.text}
            onValue={(text) => change({ text: text })}
          />
          <MoreSettings question={question} toolsError={toolsError} onChange={change} />
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" look="primary" icon="play" isBusy={asked.isPending} aria-disabled={!canSend}>
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
            <div className="flex flex-wrap items-center gap-x-1 sm:ml-auto">
              <span className="text-sm text-ink-3">{t.copyAs}</span>
              {toolsError === undefined &&
                model !== null &&
                SAMPLES.map((kind) => (
                  <CopyButton
                    key={kind}
                    look="quiet"
                    label={kind}
                    what={t.copyCode(kind)}
                    text={() => codeSample(kind, callOf(question, model), origin)}
                  />
                ))}
            </div>
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

/** A link may name a protocol, and anything else. */
function wireNamed(name: string | undefined): ChatWire {
  return (CHAT_WIRES.find((wire) => wire === name) ?? UNASKED.protocol) as ChatWire
}

/** Chooses a model that answers conversations: one that the key names, or a recommended one, if there is any. */
function likely(models: readonly ModelView[], allowed: readonly string[]): ModelView | undefined {
  const able = models.filter(({ kind, available }) => kind === 'chat' && available)
  return able.find(({ name }) => allowed.includes(name)) ?? able.find(({ recommended }) => recommended) ?? able[0]
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
