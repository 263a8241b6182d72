import { usePreferences } from '../preferences.ts'
import { sharedEn, type SharedTexts } from './shared-en.ts'
import { sharedZhCn } from './shared-zh-cn.ts'

/** The words of the shell and of the parts in `ui/`, in the reader's language. Both are always here: they are small. */
export function useSharedTexts(): SharedTexts {
  return usePreferences().language === 'zh-CN' ? sharedZhCn : sharedEn
}
