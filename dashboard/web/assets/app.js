'use strict';

// What the pages do beyond HTML: they renew themselves in place, say relative times anew, and follow a raw log.
// Whatever comes from a log is put in by textContent alone.
(() => {
  const say = (text) => { document.getElementById('said').textContent = text; };

  // Relative times. The server's clock counts, not the browser's; the words are those of funcs.go.
  const meta = document.querySelector('meta[name="now"]');
  const skew = meta ? Date.parse(meta.content) - Date.now() : 0;

  const rough = (seconds) => {
    if (seconds < 7200) return Math.floor(seconds / 60) + ' min';
    if (seconds < 172800) return Math.floor(seconds / 3600) + ' h';
    return Math.floor(seconds / 86400) + ' days';
  };
  const relative = (seconds) => {
    if (seconds >= 60) return rough(seconds) + ' ago';
    if (seconds <= -60) return 'in ' + rough(-seconds);
    return seconds < -10 ? 'in a moment' : 'just now';
  };
  const tick = () => {
    for (const time of document.querySelectorAll('time[data-ago]')) {
      const seconds = Math.floor((Date.now() + skew - Date.parse(time.dateTime)) / 1000);
      if (seconds > 60 * 86400) continue;
      const words = relative(seconds);
      if (time.textContent !== words) time.textContent = words;
    }
  };
  setInterval(tick, 20000);

  // Partial updates. What a reader has opened, typed or selected stays; a page that nobody looks at is not renewed.
  if (window.Idiomorph) {
    Idiomorph.defaults.ignoreActiveValue = true;
    Idiomorph.defaults.callbacks.beforeNodeRemoved = (node) => !node.classList?.contains('unfold');
    Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
      !(name === 'open' && node.nodeName === 'DETAILS') && name !== 'data-folded';
  }
  const selecting = () => {
    const selection = document.getSelection();
    const page = document.getElementById('page');
    return selection && !selection.isCollapsed && page && page.contains(selection.anchorNode);
  };
  const stale = document.getElementById('stale');
  const failed = () => {
    if (!stale || !stale.hidden) return;
    stale.textContent = 'The dashboard does not answer. This page is as of ' + new Date(Date.now() + skew).toLocaleTimeString() + '; it is tried again.';
    stale.hidden = false;
  };
  document.addEventListener('htmx:beforeRequest', (event) => {
    if (event.target.id === 'page' && (document.hidden || selecting())) event.preventDefault();
  });
  document.addEventListener('htmx:sendError', failed);
  document.addEventListener('htmx:timeout', failed);
  document.addEventListener('htmx:responseError', failed);
  document.addEventListener('htmx:afterSwap', () => { if (stale) stale.hidden = true; });
  document.addEventListener('visibilitychange', () => {
    const page = document.getElementById('page');
    if (!document.hidden && page && page.hasAttribute('hx-get') && window.htmx) {
      htmx.ajax('GET', page.getAttribute('hx-get'), { source: page, target: page, swap: 'morph', select: '#page' });
    }
  });

  // What was sent is not sent twice.
  document.addEventListener('submit', (event) => {
    if (event.target.method !== 'post') return;
    for (const button of event.target.querySelectorAll('button')) setTimeout(() => { button.disabled = true; }, 0);
  });
  window.addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll('form[method=post] button')) button.disabled = false;
  });

  // On a phone filters would fill the screen before anything else: they are opened where they are wanted.
  const narrow = matchMedia('(max-width: 760px)').matches;
  for (const filters of document.querySelectorAll('.filters')) {
    if (!narrow || filters.querySelector('.do a')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'unfold';
    button.textContent = 'Filter…';
    button.addEventListener('click', () => {
      filters.dataset.folded = 'no';
      button.remove();
      filters.querySelector('input, select').focus();
    });
    filters.dataset.folded = 'yes';
    filters.before(button);
  }

  // Raw logs.
  const maxLines = 1500;

  const lineOf = (line) => {
    const kinds = ['system', 'thinking', 'text', 'tool', 'result', 'error', 'end', 'raw'];
    const kind = kinds.includes(line.kind) ? line.kind : 'raw';
    const item = document.createElement('li');
    item.className = 'l k-' + kind;
    const label = document.createElement('span');
    label.className = 'k';
    label.textContent = kind;
    if (line.tool) {
      const tool = document.createElement('b');
      tool.textContent = line.tool;
      label.append(' ', tool);
    }
    const text = document.createElement('span');
    text.className = 'x';
    text.textContent = line.text;
    item.append(label, text);
    return item;
  };

  const follow = (section) => {
    const box = section.querySelector('.logbox');
    const list = section.querySelector('.lines');
    const jump = section.querySelector('.jump');
    const pulse = section.querySelector('.pulse');
    let pinned = true;
    let waiting = [];
    let last = -1;

    const state = (name, text) => {
      if (!pulse) return;
      pulse.closest('[hidden].meta')?.removeAttribute('hidden');
      pulse.hidden = false;
      pulse.className = 'pulse ' + name;
      pulse.textContent = text;
    };
    const toEnd = () => { box.scrollTop = box.scrollHeight; };
    box.addEventListener('scroll', () => {
      pinned = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      if (jump && pinned) jump.hidden = true;
    }, { passive: true });
    jump?.querySelector('button').addEventListener('click', () => { pinned = true; jump.hidden = true; toEnd(); });

    // Lines come faster than screens are drawn: they are put in once a frame.
    const show = () => {
      const lines = waiting.slice(-maxLines);
      waiting = [];
      list.append(...lines.map(lineOf));
      if (pinned || list.childElementCount > 2 * maxLines) {
        while (list.childElementCount > maxLines) list.firstElementChild.remove();
      }
      if (pinned) toEnd(); else if (jump) jump.hidden = false;
    };

    // A browser comes back by itself after a broken connection, but not after an answer that is no stream, such as a proxy's while the
    // dashboard is started anew: then we do, from the last line on, after a pause that grows.
    let pause = 1;
    const connect = () => {
      const address = new URL(section.dataset.stream, location.href);
      if (last >= 0) address.searchParams.set('from', last);
      const source = new EventSource(address);
      source.addEventListener('open', () => { pause = 1; state('', 'live'); });
      source.addEventListener('error', () => {
        state('lost', 'connecting again');
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(connect, pause * 1000);
        pause = Math.min(30, 2 * pause);
      });
      source.addEventListener('line', (event) => {
        const line = JSON.parse(event.data);
        if (line.at < last) return; // seen before a reconnect
        last = line.next;
        if (waiting.push(line) === 1) requestAnimationFrame(show);
        if (waiting.length > 2 * maxLines) waiting = waiting.slice(-maxLines);
      });
      source.addEventListener('end', () => {
        source.close();
        state('over', 'ended');
        say('The session has ended');
      });
    };
    state('lost', 'connecting');
    connect();
  };

  // The end of a log that nobody writes any more is taken from its page.
  const tail = async (section) => {
    try {
      const answer = await fetch(section.dataset.tail, { credentials: 'same-origin' });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const list = section.querySelector('.lines');
      const lines = [...page.querySelectorAll('#lines > .l')].slice(-maxLines);
      if (lines.length === 0) throw new Error('nothing to show');
      list.replaceChildren(...lines.map((line) => lineOf({
        kind: line.className.replace('l k-', ''),
        tool: line.querySelector('.k b')?.textContent,
        text: line.querySelector('.x').textContent,
      })));
      section.querySelector('.logbox').scrollTop = section.querySelector('.logbox').scrollHeight;
    } catch {
      empty(section, 'No log can be shown here.');
    }
  };
  const empty = (section, text) => {
    section.querySelector('.logbox').hidden = true;
    const note = section.querySelector('.nojs');
    note.textContent = text + ' Its own page says more.';
    note.hidden = false;
  };

  for (const section of document.querySelectorAll('section.log')) {
    const note = section.querySelector('.nojs');
    if (note) note.hidden = true;
    if (section.dataset.stream) follow(section);
    else if (section.dataset.tail) tail(section);
    else if (note) empty(section, 'There is no log.');
  }
})();
