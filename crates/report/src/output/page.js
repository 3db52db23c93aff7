(function () {
  'use strict';
  document.documentElement.classList.add('js');
  function key(cell) {
    var number = cell.getAttribute('data-v');
    return number === null ? cell.textContent : Number(number);
  }
  // Empty cells stand last, numbers before texts.
  function compare(one, other, up) {
    if (one === other) { return 0; }
    if (one === '') { return 1; }
    if (other === '') { return -1; }
    if (typeof one !== typeof other) { return typeof one === 'number' ? -1 : 1; }
    var order = typeof one === 'number' ? one - other : one.localeCompare(other);
    return up ? order : -order;
  }
  function sortable(table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, place) {
      function sort() {
        var up = head.getAttribute('aria-sort') !== 'ascending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        var body = table.tBodies[0];
        Array.from(body.rows).sort(function (one, other) {
          return compare(key(one.cells[place]), key(other.cells[place]), up);
        }).forEach(function (row) { body.appendChild(row); });
      }
      var button = document.createElement('button');
      button.type = 'button';
      button.title = 'Sort by this column';
      button.append.apply(button, Array.from(head.childNodes));
      head.appendChild(button);
      button.addEventListener('click', sort);
    });
  }
  function filterable(table) {
    var rows = Array.from(table.tBodies[0].rows);
    if (!(rows.length > 8)) { return; }
    var label = document.createElement('label');
    var input = document.createElement('input');
    label.className = 'filter';
    label.textContent = 'Rows with ';
    input.type = 'search';
    input.addEventListener('input', function () {
      var words = input.value.toLowerCase().split(' ').filter(Boolean);
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.includes(word); });
      });
    });
    label.appendChild(input);
    table.parentNode.parentNode.insertBefore(label, table.parentNode);
  }
  document.querySelectorAll('table').forEach(function (table) {
    sortable(table);
    filterable(table);
  });
}());
