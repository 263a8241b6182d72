import type { AnnouncementsTexts } from './announcements-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the admins' page of announcements. */
export const announcementsDictionary = pageDictionary<AnnouncementsTexts>({
  en: () => import('./announcements-en.ts').then((file) => file.announcementsEn),
  'zh-CN': () => import('./announcements-zh-cn.ts').then((file) => file.announcementsZhCn),
})
