import type { ReactNode } from 'react'
import { cloudAdvice } from '../../../src/causes/cloud-refusal-texts.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { usePreferences } from '../../preferences.ts'

/** What a cloud’s refusal means, and what to do; nothing for other words of providers. */
export default function CloudAdvice({ said }: { readonly said: string }): ReactNode {
  const { language } = usePreferences()
  const { sentences } = useSharedTexts()
  const advice = cloudAdvice(said, language === 'zh-CN' ? 'zh' : 'en')
  if (advice === null) return null
  return <span className="block text-sm [overflow-wrap:anywhere]">{sentences([advice.cause, advice.remedy])}</span>
}
