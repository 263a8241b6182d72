import type { callNamesEn, tokenNamesEn } from './kind-names-en.ts'

export const tokenNamesZhCn: typeof tokenNamesEn = {
  input: '输入',
  output: '输出',
  cache_read: '缓存读取',
  cache_write: '缓存写入',
  cache_write_1h: '缓存写入（1 小时）',
  reasoning_output: '推理（思考）输出',
  audio_input: '音频输入',
  audio_output: '音频输出',
  image_input: '图片输入',
}

export const callNamesZhCn: typeof callNamesEn = {
  web_search: '网页搜索',
  web_fetch: '网页抓取',
  file_search: '文件搜索',
  code_interpreter: '代码解释器',
  image_generation: '图片生成',
  grounded_prompt: '搜索增强请求',
  maps_grounding: '地图增强请求',
  x_search: 'X 搜索',
  document_search: '文档搜索',
  file_parsing: '文件解析',
  other_tool: '其他工具',
}
