; a lamp
(define (domain lamp)
  (:predicates (on))
)
