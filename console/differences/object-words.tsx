import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../api/groups.ts'
import { useSharedTexts, useTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { accountWords, keyWords, planWords } from './account-words.ts'
import { credentialWords, groupWords, modelWords, upstreamWords } from './catalogue-words.ts'
import type { FieldWords } from './difference-rows.ts'
import type { ObjectKind } from './object-kinds.ts'
import { announcementWords, paymentWords, settingWords } from './setting-words.ts'

interface Drawn {
  draw(words: FieldWords): ReactNode
}

/** Draws something with the words that forms and pages have for the fields of an object. null: no object that has a form. */
export function ObjectWords({ kind, draw }: Drawn & { readonly kind: ObjectKind | null }): ReactNode {
  if (kind === null) return draw(NO_WORDS)
  const WordsOf = BY_KIND[kind]
  return <WordsOf draw={draw} />
}

const NO_WORDS: FieldWords = { fields: {} }

/** Each fetches the words that it takes. */
const BY_KIND: Readonly<Record<ObjectKind, (props: Drawn) => ReactNode>> = {
  group: OfGroup,
  model: OfModel,
  upstream: OfUpstream,
  credential: OfCredential,
  account: OfAccount,
  plan: OfPlan,
  key: OfKey,
  settings: OfSettings,
  payments: OfPaymentSettings,
  announcement: OfAnnouncement,
}

function OfGroup({ draw }: Drawn): ReactNode {
  return draw(groupWords({ groups: useTexts('groups'), accounts: useTexts('accounts') }))
}

function OfModel({ draw }: Drawn): ReactNode {
  const texts = {
    prices: useTexts('prices'),
    models: useTexts('models'),
    settings: useTexts('modelSettings'),
    takes: useTexts('modelFacts'),
    shared: useSharedTexts(),
  }
  return draw(modelWords(texts, useFormat()))
}

function OfUpstream({ draw }: Drawn): ReactNode {
  return draw(upstreamWords({ upstreams: useTexts('upstreams') }, useFormat()))
}

function OfCredential({ draw }: Drawn): ReactNode {
  return draw(credentialWords({ upstreams: useTexts('upstreams') }))
}

function OfAccount({ draw }: Drawn): ReactNode {
  const texts = {
    accounts: useTexts('accounts'),
    one: useTexts('oneAccount'),
    own: useTexts('account'),
    shared: useSharedTexts(),
  }
  const { data: groups } = useQuery(groupsQuery)
  const groupName = (id: string): string => groups?.data.find((group) => group.id === id)?.name ?? id
  return draw(accountWords(texts, useFormat(), groupName))
}

function OfPlan({ draw }: Drawn): ReactNode {
  return draw(planWords(useTexts('plans'), useFormat()))
}

function OfKey({ draw }: Drawn): ReactNode {
  const texts = { key: useTexts('key'), keys: useTexts('keys') }
  return draw(keyWords(texts, useFormat()))
}

function OfSettings({ draw }: Drawn): ReactNode {
  const texts = { settings: useTexts('settings'), shared: useSharedTexts() }
  return draw(settingWords(texts, useFormat()))
}

function OfPaymentSettings({ draw }: Drawn): ReactNode {
  const texts = {
    settings: useTexts('paymentSettings'),
    payments: useTexts('payments'),
    shared: useSharedTexts(),
  }
  return draw(paymentWords(texts, useFormat()))
}

function OfAnnouncement({ draw }: Drawn): ReactNode {
  const texts = { announcements: useTexts('announcements'), accounts: useTexts('accounts') }
  return draw(announcementWords(texts))
}
