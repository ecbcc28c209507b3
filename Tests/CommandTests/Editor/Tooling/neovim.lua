-- Run by `nvim --headless -u neovim.lua`, in a folder with prod.yaml and s.yaml; writes what it saw to answers.json.
local scenario
local function attached(_, buffer)
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
  vim.keymap.set('n', 'K', vim.lsp.buf.hover, { buffer = buffer })
  vim.keymap.set('n', '<Leader>r', vim.lsp.codelens.run, { buffer = buffer })
  local function show() vim.lsp.codelens.refresh() end
  vim.api.nvim_create_autocmd({ 'CursorHold', 'InsertLeave', 'BufWritePost' }, { buffer = buffer, callback = show })
  show()
end
vim.api.nvim_create_autocmd('FileType', { pattern = 'yaml', callback = function(event)
  scenario = scenario or vim.lsp.start_client({
    name = 'scenario', cmd = { vim.env.SCENARIO, 'lsp' }, root_dir = vim.fn.getcwd(), on_attach = attached })
  vim.lsp.buf_attach_client(event.buf, scenario)
end })

local answers = {}

local function messages()
  return vim.tbl_map(function(d) return { d.lnum, d.col, d.end_col, d.message } end, vim.diagnostic.get(0))
end

local function wait(count)
  vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 10)
  return messages()
end

local function ask(method, more)
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  local results = vim.lsp.buf_request_sync(0, method, parameters, 20000) or {}
  for _, answer in pairs(results) do return answer.result or answer.error end
end

local function texts()
  local found = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t')
    if name ~= '' then found[name] = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end
  end
  return found
end

-- The words of the lenses of a file, by line, once the first line has some that begin with a word.
local function lenses(start)
  local found
  vim.wait(20000, function()
    found = {}
    vim.lsp.codelens.refresh()
    vim.wait(50)
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      table.insert(found, lens.range.start.line .. ' ' .. lens.command.title)
    end
    return found[1] and vim.startswith(found[1], start)
  end, 10)
  return found
end

local steps = {
  { 'typed', function()
    vim.cmd('edit s.yaml')
    vim.wait(20000, function() return scenario and vim.lsp.get_client_by_id(scenario) and vim.lsp.get_client_by_id(scenario).initialized end, 10)
    -- A letter of a flag is deleted.
    vim.api.nvim_buf_set_text(0, 8, 42, 8, 43, { '' })
    return wait(1)
  end },
  { 'shown', function()
    local lens = vim.lsp.codelens.get(0)[1]
    return { lens.range.start.line .. ' ' .. lens.command.title, vim.bo.omnifunc, vim.fn.maparg('K', 'n') ~= '' and 'K' or '' }
  end },
  { 'fix', function()
    local parameters = vim.lsp.util.make_range_params()
    parameters.range = { start = { line = 8, character = 0 }, ['end'] = { line = 9, character = 0 } }
    parameters.context = { diagnostics = {} }
    local title
    for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', parameters, 20000)) do
      title = answer.result[1].title
      vim.lsp.util.apply_workspace_edit(answer.result[1].edit, 'utf-16')
    end
    wait(0)
    return { title, texts()['s.yaml'] }
  end },
  { 'hover', function()
    vim.api.nvim_win_set_cursor(0, { 9, 42 })
    return ask('textDocument/hover').contents.value
  end },
  { 'definition', function()
    vim.api.nvim_win_set_cursor(0, { 7, 76 })
    return ask('textDocument/definition')[1].range.start
  end },
  { 'references', function()
    vim.api.nvim_win_set_cursor(0, { 7, 76 })
    return #ask('textDocument/references', { context = { includeDeclaration = true } })
  end },
  { 'renamed', function()
    vim.api.nvim_win_set_cursor(0, { 7, 76 })
    vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'tunnel' }), 'utf-16')
    return texts()
  end },
  { 'completions', function()
    vim.api.nvim_win_set_cursor(0, { 7, 21 })
    return vim.tbl_map(function(item) return item.label end, ask('textDocument/completion'))
  end },
  { 'run', function()
    -- The account was loaded to be edited, and is shown only now.
    vim.cmd('silent wall')
    local before = lenses('0 run')
    vim.api.nvim_win_set_cursor(0, { 1, 0 })
    vim.lsp.codelens.run()
    return { before, lenses('0 run: ') }
  end },
  { 'counts', function()
    vim.cmd('edit prod.yaml | filetype detect')
    return lenses('0 1 device')
  end },
  { 'matches', function()
    vim.api.nvim_win_set_cursor(0, { 6, 37 })
    return ask('textDocument/hover').contents.value
  end },
}

-- A step that fails has its problem as its answer, and the next ones are still taken.
vim.api.nvim_create_autocmd('VimEnter', { nested = true, callback = function()
  for _, step in ipairs(steps) do
    local done, answer = pcall(step[2])
    answers[step[1]] = done and answer or { problem = tostring(answer) }
  end
  local file = io.open('answers.json', 'w')
  file:write(vim.json.encode(answers))
  file:close()
  vim.cmd('qall!')
end })
