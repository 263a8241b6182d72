import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { useMay } from '../../api/use-may.ts'
import { sharedEn } from '../../dictionaries/shared-en.ts'
import { sharedZhCn } from '../../dictionaries/shared-zh-cn.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { loadShellTexts } from '../../dictionaries/shell.ts'
import { usePreferences } from '../../preferences.ts'
import { copyText } from '../../ui/copy-text.ts'
import { useToast } from '../../ui/toasts.tsx'
import { usePageCall } from '../page-call.ts'
import type { ShellPart } from '../shell-part.ts'
import { useKeepPreference } from '../use-keep-preference.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { Command } from './command.ts'
import { fixedCommands, type CommandTools } from './fixed-commands.ts'
import { atSite } from '../../site.ts'

/** Every page, and what can be done from anywhere, by its words in both languages; shown in the reader's. */
export function useCommands(open: (part: ShellPart) => void): readonly Command[] {
  const texts = use(loadShellTexts())
  const isChinese = usePreferences().language === 'zh-CN'
  const shared = useSharedTexts()
  const navigate = useNavigate()
  const toast = useToast()
  const call = usePageCall()
  const copyCall = async (): Promise<void> => {
    const text = call?.() ?? null
    const isCopied = text !== null && (await copyText(text))
    toast(isCopied ? { text: shared.copied } : { text: shared.copyFailed, tone: 'bad' })
  }
  const tools: CommandTools = {
    go: (path, search = {}) => void navigate({ to: path, search }),
    openTab: (path) => void window.open(atSite(path), '_blank', 'noreferrer'),
    copyCall: () => void copyCall(),
    open,
    keep: useKeepPreference(),
    signOut: useSignOut(),
  }
  const english = { shell: texts.en, shared: sharedEn }
  const chinese = { shell: texts['zh-CN'], shared: sharedZhCn }
  const [own, other] = isChinese ? [chinese, english] : [english, chinese]
  return fixedCommands({ isStaff: useMay('staff'), hasCall: call !== null }).map(
    ({ nameIn, words, run, ...command }) => ({
      ...command,
      label: nameIn(own),
      names: [nameIn(own), nameIn(other)],
      words: [own.shell.words[words], other.shell.words[words]],
      run: () => run(tools),
    }),
  )
}
